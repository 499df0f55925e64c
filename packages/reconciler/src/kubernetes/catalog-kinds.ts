// What the procedures of a catalog touch, all versions together: the source of RBAC, watches and scope.
import type { ExternalView, Grant } from '../access.ts';
import type { Action } from '../action.ts';
import { closureOf } from '../graph.ts';
import type { Procedure } from '../procedure.ts';
import type { KubernetesObject } from './model.ts';
import type { ResourceInfo } from './resource.ts';

type AnyInfo = ResourceInfo<KubernetesObject>;
/** A built-in or custom kind, one that objects name, or the own status. */
type Handle = AnyInfo & { readonly id: string; readonly open?: string; readonly fields?: readonly string[] };

/** Each kind stands once in each list. */
export interface CatalogKinds {
  /** Created, changed and deleted. */
  readonly owns: readonly AnyInfo[];
  /** Fields of objects of others. */
  readonly edits: readonly AnyInfo[];
  readonly reads: readonly AnyInfo[];
  /** Kinds that objects name; the configuration says which these may be. */
  readonly open: readonly { readonly name: string; readonly verb: 'owns' | 'edits' | 'reads' }[];
  /** Fields of the own status that Actions set. */
  readonly statusFields: readonly string[];
  /** External systems, with one Action that uses each. */
  readonly externals: readonly { readonly key: string; readonly action: string }[];
}

/** Everything that any procedure declares: in its actions, its teardown and its preconditions. */
export function kindsOf({ procedures }: { readonly procedures: readonly Procedure<never>[] }): CatalogKinds {
  const found = {
    owns: new Map<string, AnyInfo>(),
    edits: new Map<string, AnyInfo>(),
    reads: new Map<string, AnyInfo>(),
  };
  const open = new Map<string, CatalogKinds['open'][number]>();
  const externals = new Map<string, CatalogKinds['externals'][number]>();
  const statusFields = new Set<string>();
  const collect = (action: string, { verb, target }: Grant): void => {
    if (verb === 'external') {
      const { key } = target as ExternalView;
      if (!externals.has(key)) externals.set(key, { key, action });
      return;
    }
    const handle = target as unknown as Handle;
    if (handle.fields !== undefined) for (const field of handle.fields) statusFields.add(field);
    else if (handle.open !== undefined) open.set(`${verb} ${handle.open}`, { name: handle.open, verb });
    else if (!found[verb].has(handle.id)) found[verb].set(handle.id, handle);
  };
  for (const action of procedures.flatMap(actionsOf)) for (const grant of action.grants) collect(action.name, grant);
  return {
    owns: [...found.owns.values()],
    edits: [...found.edits.values()],
    reads: [...found.reads.values()],
    open: [...open.values()],
    statusFields: [...statusFields],
    externals: [...externals.values()],
  };
}

/** All actions of a procedure: forward, teardown, preconditions with what they need. */
export function actionsOf({ actions, teardown, preconditions = [] }: Procedure<never>): readonly Action<never>[] {
  return [...actions.values(), ...teardown.values(), ...closureOf(preconditions, new Map(), []).values()];
}
