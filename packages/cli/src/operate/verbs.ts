// The operating verbs as functions: flags in, text out, an exit code. Each opens one session and closes it.
import type { Inspection, ObjectPlan } from '@pawl/operator';
import { compareVersions, timeOf, type RunVerdict } from '@pawl/reconciler';
import { subjectOf, type KubernetesObject } from '@pawl/reconciler/kubernetes';
import { resolve } from 'node:path';
import { parse } from 'yaml';
import { InputError } from '../input-error.ts';
import type { Ports } from '../ports.ts';
import { explain, explanationLines } from './explain.ts';
import { drawGraph, GRAPH_FORMATS, type GraphFormat } from './graph.ts';
import { json, table } from './output.ts';
import { planExitCode, planLines, planRow, PLAN_COLUMNS } from './plan.ts';
import { ask, type Verb } from './requests.ts';
import { kindNamed, select, type Selected, type SelectionFlags } from './selection.ts';
import { loadNamedPackages, openSession, type Session, type SessionFlags } from './session.ts';
import { blockersOf, versionRows } from './versions.ts';

export interface OutputFlags {
  readonly output?: string;
}
export type OperateFlags = SessionFlags & SelectionFlags & OutputFlags;

const nameOf = (object: KubernetesObject): string => subjectOf({ ...object, ...object.metadata });
const isJson = ({ output }: OutputFlags): boolean => output === 'json';

/** `pawl explain KIND/NAME` */
export const runExplain = (target: string | undefined, flags: OperateFlags, ports: Ports): Promise<number> =>
  withSession(flags, ports, async (session) => {
    const explained = (await inspected(target, flags, session)).map(explain);
    if (isJson(flags)) ports.terminal.write(json(explained));
    else write(ports, explained.flatMap((each) => [...explanationLines(each), '']));
    return 0;
  });

export interface PlanFlags extends OperateFlags {
  readonly to?: string;
  readonly filename?: string;
}

/** `pawl plan KIND/NAME`, `pawl plan -f FILE`, `pawl plan --all`: exit code 0 nothing to do, 2 changes, 1 a fault. */
export const runPlan = (target: string | undefined, flags: PlanFlags, ports: Ports): Promise<number> =>
  withSession(flags, ports, async (session) => {
    const { inspector } = session;
    const selected = flags.filename === undefined ? await select(target, flags, inspector) : await fromFile(flags.filename, flags, session, ports);
    const plans = [];
    for (const { setup, object } of selected) {
      const version = await targetVersion({ setup, object }, flags.to, session);
      if (version === undefined) ports.writeError(`${nameOf(object)}: no version may act on it; see pawl explain\n`);
      else plans.push({ object: nameOf(object), plan: await inspector.plan(setup, object, version) });
    }
    if (isJson(flags)) ports.terminal.write(json(plans));
    else if (flags.all === true || flags.selector !== undefined)
      write(ports, table(PLAN_COLUMNS, plans.map(({ object, plan }) => planRow(object, plan))));
    else write(ports, plans.flatMap(({ object, plan }) => planLines(object, plan)));
    if (plans.length < selected.length) return 1;
    return planExitCode(plans.map(({ plan }): ObjectPlan => plan));
  });

/** `pawl versions` */
export const runVersions = (flags: OperateFlags, ports: Ports): Promise<number> =>
  withSession(flags, ports, async (session) => {
    const inspections = await inspected(undefined, { ...flags, all: true, allNamespaces: flags.namespace === undefined }, session);
    const kinds = session.inspector.kinds.map(({ resource, versions }) => [resource.kind, versions.procedures.map(({ version }) => version)] as const);
    const rows = versionRows(inspections, Object.fromEntries(kinds));
    if (isJson(flags)) ports.terminal.write(json(rows));
    else
      write(
        ports,
        table(
          ['KIND', 'VERSION', 'COMPLETE', 'PARTIAL', 'IN PACKAGES'],
          rows.map(({ kind, version, complete, partial, isKnown }) => [kind, version, String(complete), String(partial), isKnown ? 'yes' : 'no']),
        ),
      );
    return 0;
  });

/** `pawl can-drop VERSION`: exit code 0 it can, 1 it cannot. */
export const runCanDrop = (version: string, flags: OperateFlags, ports: Ports): Promise<number> =>
  withSession(flags, ports, async (session) => {
    const known = session.inspector.kinds.flatMap(({ versions }) => versions.procedures.map((procedure) => procedure.version));
    if (!known.some((candidate) => compareVersions(candidate, version) === 0))
      throw new InputError([`found version "${version}"; the versions of these packages are ${known.join(', ')}`]);
    const inspections = await inspected(undefined, { ...flags, all: true, allNamespaces: flags.namespace === undefined }, session);
    const blockers = blockersOf(version, inspections.map((each) => ({ ...each, name: nameOf(each.object) })));
    if (isJson(flags)) ports.terminal.write(json({ version, blockers }));
    else if (blockers.length === 0) write(ports, [`${version} can be dropped: none of ${inspections.length} objects needs it`]);
    else write(ports, [`${version} is needed by:`, ...blockers.map(({ object, why }) => `  ${object}: ${why}`)]);
    return blockers.length === 0 ? 0 : 1;
  });

export interface GraphFlags extends SessionFlags {
  readonly procedure?: string;
  readonly format?: string;
  readonly kind?: string;
}

/** `pawl graph`: needs no cluster. */
export async function runGraph(flags: GraphFlags, ports: Ports): Promise<number> {
  const { format = 'mermaid' } = flags;
  if (!isFormat(format)) throw new InputError([`--format: found "${format}"; allowed are ${GRAPH_FORMATS.join(', ')}`]);
  const packages = await loadNamedPackages(flags, ports);
  const catalogs = packages.flatMap(({ kinds }) => kinds);
  const kinds = catalogs.map(({ resource }) => resource.kind);
  const chosen = flags.kind === undefined ? catalogs : catalogs.filter(({ resource }) => resource.kind.toLowerCase() === flags.kind?.toLowerCase());
  if (chosen.length === 0) throw new InputError([`--kind: found "${flags.kind ?? ''}"; the kinds of these packages are ${kinds.join(', ')}`]);
  for (const { procedures } of chosen) {
    const [newest] = procedures;
    const procedure = flags.procedure === undefined ? newest : procedures.find(({ version }) => version === flags.procedure);
    if (procedure === undefined)
      throw new InputError([`--procedure: found "${flags.procedure ?? ''}"; the versions are ${procedures.map(({ version }) => version).join(', ')}`]);
    ports.terminal.write(drawGraph(procedure, format));
  }
  return 0;
}

export interface RequestFlags extends OperateFlags {
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

/** `pawl rollback|approve|retry|adopt|pause|resume`: exit code 0 all were asked for, 1 some were refused. */
export const runRequest = (verb: Verb, target: string | undefined, version: string | undefined, flags: RequestFlags, ports: Ports): Promise<number> =>
  withSession(flags, ports, async (session) => {
    const inspections = await inspected(target, flags, session);
    const now = timeOf(ports.clock.now());
    const asked = inspections.map((inspection) => ({ inspection, ...ask(verb, version, nameOf(inspection.object), inspection, now) }));
    const refused = asked.filter((each) => 'refused' in each);
    for (const each of refused) ports.writeError(`${each.object}: ${'refused' in each ? each.refused : ''}\n`);
    const isBulk = flags.all === true || flags.selector !== undefined;
    if (isBulk && flags.yes !== true && flags.dryRun !== true)
      throw new InputError([`${verb} would be asked for ${asked.length - refused.length} objects; --yes does it, --dry-run shows them`]);
    for (const each of asked) {
      if ('refused' in each) continue;
      if (flags.dryRun !== true) await session.client.mergePatch(each.inspection.setup.resource, each.inspection.object.metadata, each.patch);
      ports.terminal.write(`${each.object}: ${flags.dryRun === true ? 'would be asked: ' : ''}${each.says}\n`);
    }
    return refused.length === 0 ? 0 : 1;
  });

async function withSession(flags: SessionFlags, ports: Ports, work: (session: Session) => Promise<number>): Promise<number> {
  const session = await openSession(flags, ports);
  try {
    return await work(session);
  } finally {
    await session.close();
  }
}

async function inspected(target: string | undefined, flags: SelectionFlags, { inspector }: Session): Promise<readonly Inspection[]> {
  const found: Inspection[] = [];
  for (const { setup, object } of await select(target, flags, inspector)) found.push(await inspector.inspect(setup, object));
  return found;
}

/** The version that would act, unless another one was asked for. */
async function targetVersion({ setup, object }: Selected, wanted: string | undefined, { inspector }: Session): Promise<string | undefined> {
  const known = setup.versions.procedures.map(({ version }) => version);
  if (wanted !== undefined) {
    if (!known.includes(wanted)) throw new InputError([`--to: found "${wanted}"; the versions of these packages are ${known.join(', ')}`]);
    return wanted;
  }
  const { decision } = await inspector.inspect(setup, object);
  return decision.kind === 'Run' ? (decision satisfies RunVerdict).version : undefined;
}

/** An object that need not exist: as it stands in a file, or the stored one with the file's spec. */
async function fromFile(path: string, flags: SelectionFlags, { inspector }: Session, ports: Ports): Promise<readonly Selected[]> {
  const manifest = parse(await ports.files.read(resolve(ports.workingFolder, path))) as Partial<KubernetesObject> | null;
  if (typeof manifest?.kind !== 'string' || typeof manifest.metadata?.name !== 'string')
    throw new InputError([`-f: found no kind or metadata.name in ${path}; allowed is one manifest of a kind of these packages`]);
  const setup = kindNamed(manifest.kind, inspector);
  const { name } = manifest.metadata;
  const namespace = manifest.metadata.namespace ?? flags.namespace ?? 'default';
  const ref = setup.resource.namespaced ? { name, namespace } : { name };
  const stored = await inspector.find(setup, ref);
  const { apiVersion, kind } = setup.resource;
  const planned = { uid: '00000000-0000-4000-8000-000000000000', resourceVersion: '0', generation: 1 };
  const metadata = stored?.metadata ?? { ...manifest.metadata, ...planned, ...ref };
  return [{ setup, object: { ...stored, ...manifest, apiVersion, kind, metadata } as KubernetesObject }];
}

const isFormat = (format: string): format is GraphFormat => (GRAPH_FORMATS as readonly string[]).includes(format);
const write = (ports: Ports, lines: readonly string[]): void => ports.terminal.write(`${lines.join('\n')}\n`);
