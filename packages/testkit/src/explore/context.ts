// What all runs of one exploration share: the states from which they start and to which they are compared, each made once.
import { ANNOTATIONS } from '@pawl/reconciler/kubernetes';
import type { Invariant } from '../checks/check.ts';
import { lifeCounts } from '../checks/conduct.ts';
import type { OnAction } from '../world/action-follower.ts';
import { World, type Snapshot } from '../world/world.ts';
import { expectationOf } from './expectation.ts';
import type { Ground } from './ground.ts';
import { runToRest } from './rest.ts';
import { collectionPath, readState, type Mask, type State } from './state.ts';
import { isExplored, type Subject } from './subject.ts';

/** The objects at rest under a version, installed with nothing in the way. */
export interface Peace {
  readonly snapshot: Snapshot;
  readonly state: State;
  readonly usual: ReadonlyMap<string, number>;
  readonly isAtRest: boolean;
  readonly standing: readonly string[];
}

export interface Context {
  readonly subject: Subject;
  readonly seed: number;
  readonly masks: readonly Mask[];
  readonly invariants: readonly Invariant[];
  /** Told whenever an Action begins, and when none runs any more. */
  readonly onAction?: OnAction | undefined;
  /** Definitions and surroundings are there, and nothing else. */
  readonly empty: () => Promise<Snapshot>;
  /** A state from outside, by its name. @throws Error if there is none of that name */
  readonly start: (name: string) => Snapshot;
  /** @param edits the objects are created with these edits in them */
  readonly peace: (version: string, edits?: readonly number[]) => Promise<Peace>;
}

export interface ContextOptions {
  readonly seed: number;
  readonly masks: readonly Mask[];
  readonly invariants: readonly Invariant[];
  /** Told whenever an Action begins. */
  readonly onAction?: Context['onAction'];
}

export function createContext(subject: Subject, { seed, masks, invariants, onAction }: ContextOptions): Context {
  let empty: Promise<Snapshot> | undefined;
  const peaces = new Map<string, Promise<Peace>>();
  const context: Context = {
    subject,
    seed,
    masks: [...masks, ...masksOf(subject)],
    invariants,
    onAction,
    empty: () => (empty ??= subject.starts === undefined ? makeEmpty(subject, seed) : Promise.resolve(subject.starts.surroundings)),
    start: (name) => {
      const known = subject.starts?.byName.get(name);
      if (known === undefined) throw new Error(`from: found ${name}; allowed are the states that were given: ${[...(subject.starts?.byName.keys() ?? [])].join(', ') || 'none'}`);
      return known.whole;
    },
    peace: (version, edits = []) => {
      const key = `${version} ${edits.join(',')}`;
      const known = peaces.get(key) ?? makePeace(context, version, edits);
      peaces.set(key, known);
      return known;
    },
  };
  return context;
}

interface SecretMeta {
  readonly namespace?: string;
  readonly name: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** What is not compared because a state from outside does not say it. */
export function masksOf({ starts }: Pick<Subject, 'starts'>): readonly Mask[] {
  const { redacted = new Set<string>() } = starts ?? {};
  if (redacted.size === 0) return [];
  const apply: Mask['apply'] = (object) => {
    const { kind, metadata, data } = object as { readonly kind?: string; readonly metadata: SecretMeta; readonly data?: object };
    if (kind !== 'Secret' || !redacted.has(`${metadata.namespace ?? ''}/${metadata.name}`)) return object;
    // The fingerprint of what the Action wants follows from the values.
    const { [ANNOTATIONS.applied]: _, ...annotations } = metadata.annotations ?? {};
    return { ...object, metadata: { ...metadata, annotations }, data: Object.keys(data ?? {}).sort() };
  };
  return [{ says: `values of Secrets that were redacted: ${[...redacted].join(', ')}`, apply }];
}

async function makeEmpty(subject: Subject, seed: number): Promise<Snapshot> {
  const world = new World({ seed, fakes: subject.fakes, actors: [] });
  const { crds } = subject.package;
  const definitions = crds.map((crd) => ({ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', ...crd }));
  for (const definition of definitions)
    await create(world, '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition);
  await world.run(1_000);
  const namespaces = new Set([...subject.objects, ...subject.surroundings].map(({ metadata }) => metadata.namespace ?? 'default'));
  for (const name of namespaces)
    if (name !== 'default') await create(world, '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  for (const object of subject.surroundings) await createObject(world, subject, object);
  const snapshot = world.snapshot();
  world.end();
  return snapshot;
}

/** Creates the sample objects, with edits in them if there are some. */
export async function createObjects(ground: Pick<Ground, 'ask'>, subject: Subject, edits: readonly number[] = []): Promise<void> {
  for (const object of subject.objects) {
    const patches = isExplored(subject, object) ? edits.map((edit) => subject.edits[edit]) : [];
    await createObject(ground, subject, patches.reduce((edited: Subject['objects'][number], patch) => merged(edited, patch ?? {}), object));
  }
}

export async function createObject(ground: Pick<Ground, 'ask'>, { collections }: Subject, object: Subject['objects'][number]): Promise<void> {
  const known = collections.find(({ apiVersion, kind }) => apiVersion === object.apiVersion && kind === object.kind);
  const plural = known?.plural ?? `${object.kind.toLowerCase()}s`;
  const isNamespaced = known?.namespaced ?? object.metadata.namespace !== undefined;
  const namespace = isNamespaced ? (object.metadata.namespace ?? 'default') : undefined;
  await create(ground, collectionPath({ apiVersion: object.apiVersion, plural }, namespace), object);
}

async function create(ground: Pick<Ground, 'ask'>, path: string, body: unknown): Promise<void> {
  const { status, body: answer } = await ground.ask({ method: 'POST', path, body });
  if (status >= 300)
    throw new Error(`objects: the API refuses ${path} with ${status}: ${(answer as { readonly message?: string }).message ?? 'no message'}`);
}

/** A merge patch, on plain data. */
export function merged<T>(target: T, patch: unknown): T {
  if (!isPlain(patch)) return patch as T;
  const result: Record<string, unknown> = isPlain(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete result[name];
    else result[name] = merged(result[name], value);
  }
  return result as T;
}

const isPlain = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

async function makePeace(context: Context, version: string, edits: readonly number[]): Promise<Peace> {
  const { subject, seed } = context;
  const world = new World({ seed, fakes: subject.fakes, actors: subject.actors }, await context.empty());
  await createObjects(world, subject, edits);
  const packages = subject.packageOf({ upTo: version });
  const catalog = packages.kinds.find(({ resource }) => resource.id === subject.catalog.resource.id) ?? subject.catalog;
  const operator = world.start(1, [packages], { config: subject.config, protocol: subject.protocol, onAction: context.onAction });
  const { isAtRest, standing } = await runToRest(world, subject, expectationOf(catalog, undefined, undefined), () => [operator]);
  const state = await readState(world, subject);
  const peace = { snapshot: world.snapshot(), state, usual: lifeCounts(world.history), isAtRest, standing };
  operator.kill();
  world.end();
  return peace;
}
