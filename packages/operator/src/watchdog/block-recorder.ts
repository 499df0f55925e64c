// Writes down, on the object, that an Action blocked the process before this one: only then can any replica know.
import type { Logger } from '@pawl/reconciler';
import { ANNOTATIONS, fieldManagersOf, type KubernetesObject } from '@pawl/reconciler/kubernetes';
import type { KindRef, KubeClient } from '../client/kube-client.ts';
import { describeActive, parseReport } from './block-report.ts';
import { markOf, nextMark, type BlockedMark } from './quarantine.ts';

/** A place that outlives the process, and the container that it ran in. */
export interface ReportFile {
  /** The text in it; undefined if there is none. */
  readonly read: () => Promise<string | undefined>;
  readonly remove: () => Promise<void>;
}

/** A kind that the operator reconciles. */
export interface RecordedKind {
  readonly packageName: string;
  readonly resource: KindRef;
}

export interface BlockRecorderParts {
  readonly file: ReportFile;
  readonly kinds: readonly RecordedKind[];
  /** Needs no leadership: the mark is about what has happened, and changes nothing that is managed. */
  readonly client: KubeClient;
  readonly log: Logger;
}

/**
 * Moves the report of a process that was blocked onto its object. What fails is logged; the report then stays for the next
 * process. Never throws.
 */
export async function recordBlock({ file, kinds, client, log }: BlockRecorderParts): Promise<void> {
  try {
    const text = await file.read();
    if (text === undefined) return;
    const report = parseReport(text);
    const active = report?.active;
    const kind = kinds.find(({ resource }) => resource.apiVersion === active?.apiVersion && resource.kind === active.kind);
    if (report !== undefined && active !== undefined && kind !== undefined) {
      const object = await client.find(kind.resource, active);
      const mark = nextMark(object === undefined ? undefined : markOf(object), report);
      if (object !== undefined && object.metadata.uid === active.uid && mark !== undefined) {
        await remark(object, mark, kind, client);
        log.error({ times: mark.times, where: report.where }, `${describeActive(active)} blocked the process before this one`);
      }
    }
    await file.remove();
  } catch (error) {
    log.warn({ err: error }, 'what blocked the process before this one could not be written down');
  }
}

/** Sets the mark of an object, or takes it off; answers the object as it is then. */
export function remark(object: KubernetesObject, mark: BlockedMark | undefined, { packageName, resource }: RecordedKind, client: KubeClient): Promise<KubernetesObject> {
  const { uid } = object.metadata;
  const metadata = { uid, annotations: { [ANNOTATIONS.blocked]: mark === undefined ? null : JSON.stringify(mark) } };
  return client.mergePatch(resource, object.metadata, { metadata }, { fieldManager: fieldManagersOf(packageName, resource.kind).record });
}
