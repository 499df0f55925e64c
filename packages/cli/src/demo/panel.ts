// The part of the screen that is drawn anew: who runs, how far the object is, the keys.
import { bar } from '../terminal/bar.ts';
import { line, span, type Line } from '../terminal/lines.ts';
import { shareOf } from './object-view.ts';
import { isAtNewest, newestOf, type DemoState } from './state.ts';
import { actionLine, knownBy } from './story.ts';

const BAR_WIDTH = 30;

/** The keys of the demo and what they do. */
export const KEYS = {
  k: 'kill -9 and restart',
  u: 'upgrade',
  e: 'edit',
  d: 'delete',
  q: 'quit',
} as const;

/** A key of the demo. */
export type Key = keyof typeof KEYS;

/** The panel of a state, `nowMs` after the start. */
export function panel(state: DemoState, nowMs: number): readonly Line[] {
  const { object, kills, wrong } = state;
  const actions = object?.actions ?? [];
  const width = Math.max(0, ...actions.map(({ name }) => name.length));
  const reached = actions.filter((action) => action.state === 'reached').length;
  return [
    line(''),
    operatorLine(state),
    objectLine(state),
    ...actions.map((action) => actionLine(action, width)),
    ...(actions.length === 0
      ? []
      : [line(`  ${bar(shareOf(actions), BAR_WIDTH)} ${reached} of ${actions.length} Actions reached`)]),
    [
      span(`kills ${kills}   `),
      span(`wrong objects ${wrong.length}`, wrong.length === 0 ? 'good' : 'bad'),
      span(`   ${(nowMs / 1000).toFixed(0)} s`, 'faint'),
    ],
    [span(hintOf(state, nowMs), 'faint')],
    keyLine(),
  ];
}

function operatorLine({ operator, ...state }: DemoState): Line {
  const who = operator.pid === undefined ? 'no process' : `pid ${operator.pid}`;
  const knows = `knows ${knownBy({ operator, ...state }, operator.release)}`;
  const doing = operator.state === 'leaving' ? ', ending' : '';
  return [
    span('operator  ', 'strong'),
    span(`${who}${doing}`, operator.pid === undefined ? 'bad' : 'plain'),
    span(`  ${knows}`, 'faint'),
  ];
}

function objectLine({ name, object }: DemoState): Line {
  if (object === undefined) return [span(name, 'strong'), span('  does not exist', 'faint')];
  const { version, target, isReady, phase } = object;
  const hop = target === undefined ? (version ?? 'nothing yet') : `${version ?? 'nothing'} -> ${target}`;
  return [
    span(name, 'strong'),
    span(`  ${hop}  `),
    span(isReady ? 'Ready' : 'not Ready', isReady ? 'good' : 'busy'),
    span(phase === '' ? '' : `  ${phase}`, 'faint'),
  ];
}

function hintOf(state: DemoState, nowMs: number): string {
  const { object, upgradeAtMs } = state;
  if (object === undefined) return 'e applies it again';
  const next = newestOf(state, state.releases.length - 1) ?? '';
  if (upgradeAtMs !== undefined)
    return `upgrade to ${next} in ${Math.max(0, Math.ceil((upgradeAtMs - nowMs) / 1000))} s, or now with u`;
  return isAtNewest(state) ? `${next} is the newest version` : '';
}

function keyLine(): Line {
  return Object.entries(KEYS).flatMap(([key, meaning]) => [span(key, 'strong'), span(` ${meaning}   `, 'faint')]);
}
