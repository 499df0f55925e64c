// Many Pages that were brought up already, without bringing them up: copies of one, as a server holds them.
import { canonicalJson, shortHash } from '@pawl/reconciler';
import { ANNOTATIONS, LABELS, ownerHashOf, type KubernetesObject } from '@pawl/reconciler/kubernetes';
import { FaultWorld } from './fault-world.ts';
import { createPages, textRelease } from './page-fleet.ts';

/** What a server begins with: the CRD, and so many Pages of {@link textRelease} at 1.0.0 with their ConfigMaps. */
export async function steadyPages(count: number): Promise<readonly unknown[]> {
  const world = new FaultWorld({ actors: [] });
  await world.install(textRelease());
  await world.operator([textRelease()]);
  await createPages(world, 1);
  await world.until('it is at 1.0.0', world.isAt('1.0.0', 'page-0'));
  await world.run(1_000);
  const all = world.api.objects() as unknown as readonly KubernetesObject[];
  const crds = all.filter(({ kind }) => kind === 'CustomResourceDefinition');
  const models = all.filter(({ metadata }) => metadata.name === 'page-0');
  await world.close();
  const [page] = models.filter(({ kind }) => kind === 'Page');
  if (page === undefined) throw new Error('there is no Page to copy');
  return [...crds, ...Array.from({ length: count }, (_, index) => models.map((model) => copyOf(model, page, index))).flat()];
}

function copyOf(model: KubernetesObject, page: KubernetesObject, index: number): unknown {
  const name = `page-${index}`;
  const text = JSON.stringify(model)
    .replaceAll('page-0', name)
    .replaceAll(page.metadata.uid, uidOf(1, index))
    .replaceAll(ownerHashOf(page), ownerHashOf({ ...page, metadata: { ...page.metadata, name } }));
  const copy = JSON.parse(text) as KubernetesObject & { metadata: { annotations: Record<string, string>; uid: string }; data?: { text: string } };
  if (copy.metadata.labels?.[LABELS.owner] === undefined) return copy;
  const wanted = { metadata: { name }, data: copy.data };
  const annotations = { ...copy.metadata.annotations, [ANNOTATIONS.applied]: shortHash(canonicalJson(wanted)) };
  return { ...copy, metadata: { ...copy.metadata, annotations, uid: uidOf(2, index) } };
}

const uidOf = (kind: number, index: number): string => `00000000-0000-4000-${8000 + kind}-${String(index).padStart(12, '0')}`;
