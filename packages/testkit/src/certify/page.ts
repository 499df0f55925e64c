// The page of a certification as plain blocks, from which every format is made.
import type { EdgeCoverage } from '../explore/exploration.ts';
import { MODES } from '../explore/job.ts';
import { describePlan } from '../explore/plan.ts';
import type { PairFinding } from '../pairs/pair.ts';
import { edgeNames, failureText } from '../report/text.ts';
import type { Certificate, Verdict } from './certificate.ts';

export type Block =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'list'; readonly items: readonly string[] }
  | { readonly type: 'table'; readonly header: readonly string[]; readonly rows: readonly (readonly string[])[] }
  | { readonly type: 'code'; readonly text: string };

export interface Section {
  readonly title: string;
  readonly blocks: readonly Block[];
}

export interface Page {
  readonly title: string;
  readonly verdict: Verdict;
  /** The verdict in a sentence. */
  readonly says: string;
  readonly facts: readonly (readonly [string, string])[];
  readonly sections: readonly Section[];
}

const SAYS: Readonly<Record<Verdict, string>> = {
  pass: 'Pass: every hop was explored, and nothing was found.',
  violation: 'Violation: something is wrong.',
  incomplete: 'Incomplete: nothing was found, and not everything was done.',
};

/** Everything that is worth reading, in the order in which it is read. */
export function certificatePage(certificate: Certificate): Page {
  const { package: name, against, date, verdict, reasons, exploration } = certificate;
  return {
    title: `${name} certified against ${against.release}`,
    verdict,
    says: SAYS[verdict],
    facts: [
      ['Package', name],
      ['Against', against.release],
      ['Date', date],
      ['Seed', String(exploration.seed)],
      ['Duration', `${exploration.seconds.toFixed(1)} s`],
      ['Runs', `${exploration.runs}, with ${exploration.crashPoints} crash points; ${exploration.repeated} repeated with the same history`],
    ],
    sections: [
      ...(reasons.length === 0 ? [] : [listed('Why', reasons, '')]),
      { title: 'Hops', blocks: hops(certificate) },
      { title: 'Findings', blocks: findings(certificate) },
      listed('What was released', changesOf(certificate), 'Every released version is as it was released.'),
      listed('What the hops change', exploration.pairs.map(pairLine), 'No hop drops an object, or changes a selector, a name or a field that cannot be changed.'),
      listed('Not run', [...exploration.notRun, ...certificate.leftOut], 'Everything was run.'),
      listed('Rests on', exploration.assumptions, 'Nothing.'),
    ],
  };
}

function listed(title: string, items: readonly string[], none: string): Section {
  return { title, blocks: items.length === 0 ? [{ type: 'text', text: none }] : [{ type: 'list', items }] };
}

/** Declared hops first in their order, then what else was run; modes in the order in which they are run. */
function hops({ edges, exploration }: Certificate): readonly Block[] {
  const { coverage } = exploration;
  const declared = edges.map(({ name, kind, isDirect }) => `${name} of ${kind}${isDirect ? '' : ', which is not declared: it must not happen in one step'}`);
  const modes = MODES.filter((mode) => coverage.some((row) => row.mode === mode));
  const nameOf = edgeNames(coverage);
  const named = coverage.map((row) => ({ ...row, name: nameOf(row) }));
  const names = [...new Set([...edges.map(({ name: edge, kind }) => nameOf({ edge, kind })), ...named.map(({ name }) => name)])];
  const rows = names.filter((name) => named.some((row) => row.name === name)).map((name) => [name, ...modes.map((mode) => cellOf(named.find((row) => row.name === name && row.mode === mode)))]);
  return [
    declared.length === 0 ? { type: 'text', text: 'There is no hop from a released version to a new one.' } : { type: 'list', items: declared },
    ...(rows.length === 0 ? [] : [{ type: 'text', text: 'Runs, and crash points among them, by mode:' } as const, { type: 'table', header: ['', ...modes], rows } as const]),
  ];
}

function cellOf(row: EdgeCoverage | undefined): string {
  if (row === undefined) return '';
  return row.crashPoints === 0 ? String(row.runs) : `${row.runs} (${row.crashPoints})`;
}

function findings({ exploration: { failures }, replays }: Certificate): readonly Block[] {
  if (failures.length === 0) return [{ type: 'text', text: 'None.' }];
  return failures.flatMap((failure, index): readonly Block[] => [
    { type: 'text', text: `${index + 1}. ${failure.mode}, ${failure.edge}: ${describePlan(failure.plan)}` },
    { type: 'code', text: failureText(failure, replays[index] === '' ? undefined : replays[index]) },
  ]);
}

function changesOf({ changes }: Certificate): readonly string[] {
  return changes.map(({ severity, kind, says }) => `${severity}: ${kind === '' ? '' : `${kind}: `}${says}`);
}

function pairLine({ edge, object, path, says, severity, action }: PairFinding): string {
  return `${severity}: ${edge}: ${object}${path === undefined ? '' : ` ${path}`}: ${says}. To do: ${action}.`;
}
