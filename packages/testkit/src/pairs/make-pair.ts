// The states of a pair, made by real operators, and the API's own word on what of the newer one it would refuse.
import type { ImmutableStrategy } from '@pawl/reconciler';
import { ANNOTATIONS, groupOf, type KubernetesObject, type ProcedureCatalog } from '@pawl/reconciler/kubernetes';
import type { Context } from '../explore/context.ts';
import type { Edge } from '../explore/edges.ts';
import type { Run } from '../explore/run-plan.ts';
import { keyOf, type State } from '../explore/state.ts';
import type { RequestEvent } from '../world/history.ts';
import { World, type Snapshot } from '../world/world.ts';
import type { Pair, Refusal } from './pair.ts';

/** What was run for a pair. */
export interface PairRuns {
  /** A fresh install of the newer version. */
  readonly install: Run;
  /** The upgrade, with nothing in its way. */
  readonly upgrade: Run;
}

/** What is compared of a hop. Sends requests to copies of the two APIs only, and changes nothing in them. */
export async function makePair(context: Context, { from, to, name }: Edge, { install, upgrade }: PairRuns): Promise<Pair> {
  const { subject } = context;
  const older = await context.peace(from);
  const { catalog } = subject;
  const newest = subject.packageOf({ upTo: to }).kinds.find(({ resource }) => resource.id === catalog.resource.id) ?? catalog;
  return {
    edge: name,
    older: { version: from, state: older.state, pods: await podsIn(older.snapshot) },
    newer: { version: to, state: install.outcome.final, pods: await podsIn(install.finalSnapshot) },
    upgraded: upgrade.outcome.final,
    isUpgraded: upgrade.outcome.isAtRest && upgrade.outcome.expectation.ends === 'at',
    refusals: await refusals(context, older, install),
    strategyOf: (object) => strategyIn(newest, to, object),
  };
}

async function podsIn({ api }: Snapshot): Promise<readonly KubernetesObject[]> {
  const { status, body } = await api.request({ method: 'GET', path: '/api/v1/pods' });
  return status === 200 ? ((body as { readonly items?: readonly KubernetesObject[] }).items ?? []) : [];
}

/** Every last request of the newer version's fresh install, once more as a dry run, on the objects of the older one. */
async function refusals({ subject, seed }: Context, older: { readonly snapshot: Snapshot; readonly state: State }, install: Run): Promise<readonly Refusal[]> {
  const world = new World({ seed, fakes: subject.fakes, actors: [] }, older.snapshot);
  const owners = uidsOf(install.outcome.final, older.state);
  const found: Refusal[] = [];
  for (const { path, body, after } of lastApplies(install)) {
    const object = keyOf(after as KubernetesObject);
    if (!older.state.has(object)) continue;
    const answer = await world.ask({
      method: 'PATCH',
      path: `${path}&dryRun=All`,
      headers: { 'content-type': 'application/apply-patch+yaml' },
      body: replaced(body, owners),
    });
    if (answer.status !== INVALID) continue;
    const { message = 'no message', details } = answer.body as Refused;
    const causes = details?.causes ?? [{ message }];
    found.push(...causes.map((cause) => ({ object, path: `.${cause.field ?? ''}`, message: withoutValue(cause.message ?? message) })));
  }
  world.end();
  return found;
}

const INVALID = 422;
interface Refused {
  readonly message?: string;
  readonly details?: { readonly causes?: readonly { readonly field?: string; readonly message?: string }[] };
}

/** The value that was refused stands in the object; what counts is why. */
const withoutValue = (message: string): string => message.replace(/^Invalid value: .*: (?=[^:]+$)/s, '');

/** What was applied last to each object, in the order of the first time. */
function lastApplies({ outcome: { history } }: Run): readonly RequestEvent[] {
  const last = new Map<string, RequestEvent>();
  for (const event of history) {
    if (event.type !== 'request' || !event.committed || event.method !== 'PATCH' || event.after === undefined) continue;
    const [path = '', query = ''] = event.path.split('?');
    if (!query.includes('fieldManager=') || !query.includes('force=true') || path.endsWith('/status')) continue;
    last.set(`${path} ${/fieldManager=([^&]*)/.exec(query)?.[1] ?? ''}`, event);
  }
  return [...last.values()];
}

/** An object of the same name may have another uid in the other install. */
function uidsOf(newer: State, older: State): ReadonlyMap<string, string> {
  const uids = new Map<string, string>();
  for (const [key, { metadata }] of newer) {
    const uid = older.get(key)?.metadata.uid;
    if (uid !== undefined && uid !== metadata.uid) uids.set(metadata.uid, uid);
  }
  return uids;
}

function replaced(body: unknown, uids: ReadonlyMap<string, string>): unknown {
  let text = JSON.stringify(body);
  for (const [from, to] of uids) text = text.replaceAll(from, to);
  return JSON.parse(text) as unknown;
}

type Owned = { readonly open?: string; readonly apiVersion?: string; readonly kind?: string };

/** What the Action that applies an object declares for its kind. */
function strategyIn({ procedures }: ProcedureCatalog, version: string, { apiVersion, kind, metadata }: KubernetesObject): ImmutableStrategy {
  const action = procedures.find((one) => one.version === version)?.actions.get(metadata.annotations?.[ANNOTATIONS.action] ?? '');
  const isOf = ({ open, apiVersion: of = '', kind: owned }: Owned): boolean =>
    open !== undefined || (owned === kind && groupOf(of) === groupOf(apiVersion));
  const grant = action?.grants.find(({ verb, target }) => verb === 'owns' && isOf(target as Owned));
  return (grant?.immutable ?? 'Refuse') as ImmutableStrategy;
}
