// What is told of an event: lines that stay on the screen, and all there is without a terminal.
import type { ActionView, ObjectView } from './object-view.ts';
import { line, span, type Line, type Style } from '../terminal/lines.ts';
import { aboutOf, type DemoEvent, type DemoState } from './state.ts';

/** The sign and the style of each state of an Action, here and in the panel. */
export const SIGNS = {
  reached: { sign: '✔', style: 'good' },
  active: { sign: '▶', style: 'busy' },
  pending: { sign: '·', style: 'faint' },
} as const satisfies Record<ActionView['state'], { sign: string; style: Style }>;

/**
 * The lines that tell of an event, given the states around it. Empty if there is nothing new to say.
 * @param withActions whether each change of an Action is told; needless beside a panel
 */
export function story(before: DemoState, event: DemoEvent, after: DemoState, withActions: boolean): readonly Line[] {
  switch (event.type) {
    case 'operatorStarted':
      return [line(`operator: pid ${event.pid} started, it knows ${knownBy(after, event.release)}`, 'strong')];
    case 'operatorLeaving':
      return [
        line(
          `operator: pid ${before.operator.pid ?? '?'} ${event.by === 'kill' ? 'is killed, kill -9' : 'is asked to stop'}`,
        ),
      ];
    case 'operatorEnded':
      return [line(`operator: ended with ${event.signal ?? `exit code ${event.exitCode ?? '?'}`}`, 'faint')];
    case 'objectSeen':
      return objectStory(after.name, before.object, event.object, withActions);
    case 'objectGone':
      return [line(`${after.name} is gone`, 'strong')];
    case 'checked':
      return event.wrong.length === 0 && before.checked?.about === aboutOf(before) ? [] : checkStory(after, event);
    case 'upgradePlanned':
      return [];
    case 'upgradeWanted':
      return [line(`the next release knows ${knownBy(after, after.wantedRelease)}: ${event.pick}`, 'strong')];
    case 'said':
      return [line(event.text)];
    case 'ended':
      return [];
  }
}

/** Versions that a release knows, in words. */
export function knownBy(state: DemoState, release: number): string {
  return state.releases[release]?.versions.join(' and ') ?? 'nothing';
}

function objectStory(
  name: string,
  before: ObjectView | undefined,
  after: ObjectView,
  withActions: boolean,
): readonly Line[] {
  const lines: Line[] = [];
  if (before?.uid !== after.uid) lines.push(line(`${name} exists`, 'strong'));
  if (after.isDeleting && before?.isDeleting !== true) lines.push(line(`${name} is being deleted`, 'strong'));
  if (isNews(before?.summary ?? '', after.summary))
    lines.push(line(after.summary.startsWith(name) ? after.summary : `${name}: ${after.summary}`));
  for (const action of withActions ? after.actions : []) {
    const known = before?.actions.find((other) => other.name === action.name);
    if (known?.state !== action.state || known.detail !== action.detail) lines.push(actionLine(action, 0));
  }
  if (after.isReady && (before?.isReady !== true || before.version !== after.version))
    lines.push(line(`${name} is Ready at ${after.version ?? '?'}`, 'good'));
  return lines;
}

/** A summary that only adds to the one before, or takes back what was added, says nothing that the Actions do not. */
function isNews(before: string, after: string): boolean {
  return after !== '' && !(before !== '' && (after.startsWith(before) || before.startsWith(after)));
}

/**
 * `✔ PodsReady reached`.
 * @param width columns of the longest name
 */
export function actionLine({ name, state, detail }: ActionView, width: number): Line {
  const { sign, style } = SIGNS[state];
  const shown = detail === '' ? '' : `  ${detail}`;
  return [span(`  ${sign} ${name.padEnd(width)}  `, style), span(state.padEnd(7), style), span(shown, 'faint')];
}

function checkStory(state: DemoState, { objects, wrong }: Extract<DemoEvent, { type: 'checked' }>): readonly Line[] {
  const version = state.object?.version;
  const expected = version === undefined ? 'as after a deletion' : `as a fresh install of ${version} makes them`;
  return [
    line(
      `checked ${objects} objects: ${wrong.length === 0 ? `all are ${expected}` : `${wrong.length} wrong, not ${expected}`}`,
    ),
    ...wrong.map((difference) => line(`  ${difference}`, 'bad')),
  ];
}
