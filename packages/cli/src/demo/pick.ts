// Says which version a release picks for an object and why, by the same decision that its operator makes.
import { catalogOf, decide, parseRecord, parseSettings, type Decision, type VersionCatalog } from '@pawl/reconciler';
import type { ProcedureCatalog } from '@pawl/reconciler/kubernetes';
import type { Json } from './differences.ts';

/** One sentence about the release with this catalog and the object as it is now. */
export function explainPick({ procedures }: ProcedureCatalog, object: Json): string {
  const catalog = catalogOf(procedures);
  const { uid } = object['metadata'] as { readonly uid: string };
  const status = object['status'] as { readonly procedure?: { readonly record?: unknown } } | undefined;
  const { procedure: settings } = (object['spec'] ?? {}) as { readonly procedure?: unknown };
  const record = parseRecord(status?.procedure?.record);
  return sentence(decide({ catalog, uid, record, spec: parseSettings(settings) }), catalog);
}

function sentence(decision: Decision, catalog: VersionCatalog): string {
  if (decision.kind !== 'Run')
    return `it may not act: ${'reason' in decision ? decision.reason : 'the object is being deleted'}`;
  const { version, mode, effective } = decision;
  const found = effective?.applied.map((entry) => `${entry.version} ${entry.state.toLowerCase()}`).join(' and ') ?? '';
  if (found === '') return `it picks ${version}, the newest, for nothing has acted there yet`;
  if (mode === 'Steady') return `it keeps ${version}, for the record says ${found}`;
  const { from } = catalog.procedures.find((procedure) => procedure.version === version) ?? { from: 'none' };
  return `it picks ${version}, for the record says ${found}, and ${version} takes over from ${from}`;
}
