// What somebody does with the objects in the course of a plan.
import { requestAnnotation } from '@pawl/reconciler/kubernetes';
import { createObjects } from './context.ts';
import type { Ground } from './ground.ts';
import type { Plan } from './plan.ts';
import { collectionPath } from './state.ts';
import { isExplored, type Subject } from './subject.ts';

/** What somebody does when the first operator starts. */
export async function doDeed(ground: Pick<Ground, 'ask'>, subject: Subject, deed: Plan['deed']): Promise<void> {
  if (deed.does === 'create') return createObjects(ground, subject);
  if (deed.does === 'nothing') return;
  const patch = deed.does === 'edit' ? subject.edits[deed.edit] : undefined;
  await toEach(ground, subject, patch === undefined ? { method: 'DELETE' } : { method: 'PATCH', body: patch });
}

/** Asks for an older version. */
export const askRollback = (ground: Pick<Ground, 'ask'>, subject: Subject, version: string): Promise<void> =>
  toEach(ground, subject, { method: 'PATCH', body: { metadata: { annotations: { [requestAnnotation('rollback')]: version } } } });

async function toEach(ground: Pick<Ground, 'ask'>, subject: Subject, request: { readonly method: 'PATCH' | 'DELETE'; readonly body?: unknown }): Promise<void> {
  const { plural } = subject.catalog.resource;
  for (const { apiVersion, metadata } of subject.objects.filter((object) => isExplored(subject, object))) {
    const namespace = subject.catalog.resource.namespaced ? (metadata.namespace ?? 'default') : undefined;
    const path = `${collectionPath({ apiVersion, plural }, namespace)}/${metadata.name}`;
    await ground.ask({ ...request, path, headers: { 'content-type': 'application/merge-patch+json' } });
  }
}
