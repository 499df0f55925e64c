import { describe, expect, it } from 'vitest';
import { textOf } from '../terminal/lines.ts';
import { nextMove, type Pace } from './moves.ts';
import { shareOf, viewObject, type ObjectView } from './object-view.ts';
import { panel } from './panel.ts';
import { initialState, reduce, type DemoEvent, type DemoState } from './state.ts';
import { story } from './story.ts';

const releases = [
  { module: 'release-1.ts', versions: ['1.0.0'] },
  { module: 'index.ts', versions: ['1.0.0', '2.0.0'] },
];
const start = initialState('Website default/hello', releases);
const pace: Pace = { nowMs: 0, deadlineMs: 60_000, exitWhenReady: true };

const actions = [
  { name: 'ContentStored', status: 'True', reason: 'AsExpected', message: '' },
  {
    name: 'PodsReady',
    status: 'False',
    reason: 'RollingOut',
    message: 'pods are starting',
    progress: { done: 1, total: 4 },
  },
  { name: 'Exposed', status: 'Unknown', reason: 'PrerequisiteNotMet', message: '', blockedBy: ['PodsReady'] },
];
const done = actions.map(({ name }) => ({ name, status: 'True', reason: 'AsExpected', message: '' }));

function website(status: object, resourceVersion = '1'): ObjectView {
  return viewObject({
    metadata: { uid: 'u1', resourceVersion, generation: 1 },
    status: { observedGeneration: 1, ...status },
  });
}
const installing = website({
  procedure: { phase: 'Installing', target: '1.0.0', summary: 'installs 1.0.0' },
  actions,
  conditions: [{ type: 'Ready', status: 'False' }],
});
const readyAt = (version: string, resourceVersion: string): ObjectView =>
  website(
    {
      procedure: { phase: 'Steady', version, summary: `is at ${version}` },
      actions: done,
      conditions: [{ type: 'Ready', status: 'True' }],
    },
    resourceVersion,
  );

function after(...events: readonly DemoEvent[]): DemoState {
  return events.reduce(reduce, start);
}
function told(...events: readonly DemoEvent[]): readonly string[] {
  const last = events.at(-1);
  if (last === undefined) return [];
  const before = after(...events.slice(0, -1));
  return story(before, last, reduce(before, last), true).map(textOf);
}

const started: DemoEvent = { type: 'operatorStarted', pid: 7, release: 0 };
const restarted: DemoEvent = { type: 'operatorStarted', pid: 8, release: 1 };
const atOne: DemoEvent = { type: 'objectSeen', object: readyAt('1.0.0', '5') };
const atTwo: DemoEvent = { type: 'objectSeen', object: readyAt('2.0.0', '9') };
const right = (resourceVersion: string): DemoEvent => ({ type: 'checked', resourceVersion, objects: 3, wrong: [] });
const planned: DemoEvent = { type: 'upgradePlanned', atMs: 0 };
const wanted: DemoEvent = { type: 'upgradeWanted', pick: 'picks 2.0.0' };
const stopped: DemoEvent = { type: 'operatorEnded', exitCode: 0, signal: null };

describe('an object of the API', () => {
  it('has Actions that are reached, active or pending', () => {
    expect(installing.actions).toEqual([
      { name: 'ContentStored', state: 'reached', detail: '', share: 1 },
      { name: 'PodsReady', state: 'active', detail: 'pods are starting, 1 of 4', share: 0.25 },
      { name: 'Exposed', state: 'pending', detail: 'waits for PodsReady', share: 0 },
    ]);
    expect(shareOf(installing.actions)).toBeCloseTo(1.25 / 3);
  });

  it('is Ready only for the generation of its spec and with no upgrade open', () => {
    const ready = { conditions: [{ type: 'Ready', status: 'True' }], procedure: { version: '1.0.0' } };
    expect(website(ready).isReady).toBe(true);
    expect(website({ ...ready, observedGeneration: 0 }).isReady).toBe(false);
    expect(website({ ...ready, procedure: { version: '1.0.0', target: '2.0.0' } }).isReady).toBe(false);
    expect(viewObject({}).isReady).toBe(false);
  });
});

describe('the demo', () => {
  it('starts the operator, waits, checks, upgrades, checks and finishes', () => {
    expect(nextMove(start, pace)).toEqual({ do: 'startOperator', release: 0 });
    expect(nextMove(after(started), pace)).toEqual({ do: 'wait' });
    expect(nextMove(after(started, atOne), pace)).toEqual({ do: 'check' });
    expect(nextMove(after(started, atOne, right('5')), pace)).toEqual({ do: 'planUpgrade' });
    expect(nextMove(after(started, atOne, right('5'), planned), pace)).toEqual({ do: 'upgrade' });
    expect(nextMove(after(started, atOne, right('5'), wanted), pace)).toEqual({ do: 'stopOperator' });
    const upgrading = [started, atOne, right('5'), wanted, stopped] as const;
    expect(nextMove(after(...upgrading), pace)).toEqual({ do: 'startOperator', release: 1 });
    expect(nextMove(after(...upgrading, restarted), pace)).toEqual({ do: 'wait' });
    expect(nextMove(after(...upgrading, restarted, atTwo), pace)).toEqual({ do: 'check' });
    expect(nextMove(after(...upgrading, restarted, atTwo, right('9')), pace)).toEqual({ do: 'finish' });
    expect(after(...upgrading, restarted, atTwo).path).toEqual(['1.0.0', '2.0.0']);
  });

  it('goes on for ever unless it was told to end', () => {
    const calm = after(started, atOne, right('5'), wanted, stopped, restarted, atTwo, right('9'));
    expect(nextMove(calm, { ...pace, deadlineMs: undefined, exitWhenReady: false })).toEqual({ do: 'wait' });
  });

  it('fails when the object is not Ready in time, or when something is wrong', () => {
    expect(nextMove(after(started), { ...pace, nowMs: 60_000 })).toEqual({ do: 'fail', why: 'not Ready after 60 s' });
    const wrong = after(started, atOne, {
      type: 'checked',
      resourceVersion: '5',
      objects: 3,
      wrong: ['ConfigMap x: missing'],
    });
    expect(nextMove(wrong, pace)).toMatchObject({ do: 'fail' });
  });

  it('counts kills, whoever sent them', () => {
    const killed = after(started, { type: 'operatorEnded', exitCode: null, signal: 'SIGKILL' });
    expect(killed.kills).toBe(1);
    expect(nextMove(killed, pace)).toEqual({ do: 'startOperator', release: 0 });
  });

  it('counts what is wrong once, however often it is found', () => {
    const found: DemoEvent = { type: 'checked', resourceVersion: '5', objects: 3, wrong: ['ConfigMap x: missing'] };
    expect(after(found, { ...found, resourceVersion: '6' }).wrong).toHaveLength(1);
  });

  it('waits while the operator is on its way out', () => {
    expect(nextMove(after(started, { type: 'operatorLeaving', by: 'stop' }), pace)).toEqual({ do: 'wait' });
  });
});

describe('the story', () => {
  it('names the process and what it knows', () => {
    expect(told(started)).toEqual(['operator: pid 7 started, it knows 1.0.0']);
    expect(told(started, wanted)).toEqual(['the next release knows 1.0.0 and 2.0.0: picks 2.0.0']);
  });

  it('tells each Action once per change', () => {
    const seen: DemoEvent = { type: 'objectSeen', object: installing };
    expect(told(started, seen)).toEqual([
      'Website default/hello exists',
      'Website default/hello: installs 1.0.0',
      '  ✔ ContentStored  reached',
      '  ▶ PodsReady  active   pods are starting, 1 of 4',
      '  · Exposed  pending  waits for PodsReady',
    ]);
    expect(told(started, seen, seen)).toEqual([]);
  });

  it('says when the object is Ready and what a check found', () => {
    expect(told(started, atOne).at(-1)).toBe('Website default/hello is Ready at 1.0.0');
    expect(told(started, atOne, right('5'), right('6'))).toEqual([]);
    expect(told(started, atOne, right('5'))).toEqual([
      'checked 3 objects: all are as a fresh install of 1.0.0 makes them',
    ]);
  });
});

describe('the panel', () => {
  it('shows process, object, Actions, bar, counts and keys', () => {
    const state = after(started, { type: 'objectSeen', object: installing });
    expect(panel(state, 2_000).map(textOf)).toMatchInlineSnapshot(`
      [
        "",
        "operator  pid 7  knows 1.0.0",
        "Website default/hello  nothing -> 1.0.0  not Ready  Installing",
        "  ✔ ContentStored  reached",
        "  ▶ PodsReady      active   pods are starting, 1 of 4",
        "  · Exposed        pending  waits for PodsReady",
        "  [#############-----------------] 1 of 3 Actions reached",
        "kills 0   wrong objects 0   2 s",
        "",
        "k kill -9 and restart   u upgrade   e edit   d delete   q quit   ",
      ]
    `);
  });

  it('counts down to the upgrade', () => {
    const lines = panel(after(started, atOne, { type: 'upgradePlanned', atMs: 9_000 }), 2_000).map(textOf);
    expect(lines).toContain('upgrade to 2.0.0 in 7 s, or now with u');
  });
});
