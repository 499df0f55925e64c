// What happens from outside: people and tools, lost records, deleted and edited objects.
import type { ProcedureSettings, RequestName } from '@pawl/reconciler';
import { versionOf } from './catalogs.ts';
import { put, remembered } from './contents.ts';
import type { Model } from './model.ts';
import { PARENT_COURSE, PLACES, STRANGER, type Owner, type State } from './state.ts';

const OTHER_UID = 'u2';

/** The states after one outside event. Something that disappears costs nothing. */
export function outsideOf(model: Model, state: State): readonly State[] {
  const { outside } = model.options.profile;
  const owner = model.ownerOf(state);
  const found = freeOf(model, state, owner);
  if (state.budget === 0) return found;
  const spent = { budget: state.budget - 1 };
  if (outside.includes('requests')) found.push(...requests(model, state, owner));
  if (outside.includes('spec')) found.push(...settings(model, state, owner));
  if (outside.includes('loss') && owner.record !== undefined) found.push(...losses(model, state, owner));
  if (outside.includes('child'))
    for (const place of PLACES)
      if ((state.contents[place] ?? 0) !== 0)
        found.push({ ...state, contents: put(state.contents, place, 0), ...spent, ...remembered(model, state) });
  if (outside.includes('adopt')) found.push(...adoptions(model, state, owner));
  if (outside.includes('stranger'))
    for (const place of PLACES)
      if ((state.contents[place] ?? 0) > 0)
        found.push({ ...state, contents: put(state.contents, place, STRANGER), ...spent, ...remembered(model, state) });
  if (outside.includes('hold') && owner.record?.target !== undefined && owner.record.hold === undefined) {
    const record = { ...owner.record, hold: { action: 'DataMoved', reason: 'half of the data is moved' } };
    found.push(model.withOwner(state, { ...owner, record }, spent));
  }
  if (outside.includes('slot') && owner.noSlot === undefined && !owner.deleting)
    found.push(model.withOwner(state, { ...owner, noSlot: true }, spent));
  if (outside.includes('edit') && owner.generation === 0)
    found.push(model.withOwner(state, { ...owner, generation: 1 }, spent));
  if (outside.includes('delete') && !owner.deleting) {
    const gone = { ...owner, gone: true, record: undefined, mirror: undefined, requests: {} };
    found.push(model.withOwner(state, owner.finalizer ? { ...owner, deleting: true } : gone, spent));
  }
  return found;
}

/** What costs nothing: the parent goes on, a slot is free again, a critical section ends. */
function freeOf(model: Model, state: State, owner: Owner): State[] {
  const found: State[] = [];
  const { parent, noSlot, record } = owner;
  if (owner.gone === true) return found;
  if (parent !== undefined && parent < PARENT_COURSE.length - 1)
    found.push(model.withOwner(state, { ...owner, parent: parent + 1 }));
  if (noSlot === true) found.push(model.withOwner(state, { ...owner, noSlot: undefined }));
  if (record?.hold !== undefined) {
    const { hold: _hold, ...others } = record;
    found.push(model.withOwner(state, { ...owner, record: others }));
  }
  return found;
}

/** Somebody accepts a risk for the newest version, or takes that back. */
function adoptions(model: Model, state: State, owner: Owner): readonly State[] {
  const { adopt, ...others } = owner.requests;
  if (adopt !== undefined) return [model.withOwner(state, { ...owner, requests: others })];
  const newest = versionOf(Math.max(...model.versions));
  const budget = state.budget - 1;
  return [model.withOwner(state, { ...owner, requests: { ...owner.requests, adopt: newest } }, { budget })];
}

function requests(model: Model, state: State, owner: Owner): readonly State[] {
  const { rollbacks = [1, 2], approves = [3] } = model.options.profile;
  const set = (name: RequestName, value: string | undefined): State => {
    const { [name]: _old, ...others } = owner.requests;
    const budget = value === undefined ? state.budget : state.budget - 1;
    return model.withOwner(
      state,
      { ...owner, requests: value === undefined ? others : { ...others, [name]: value } },
      { budget },
    );
  };
  const toggled = (name: RequestName, values: readonly string[]): readonly State[] => {
    if (owner.requests[name] !== undefined) return [set(name, undefined)];
    return owner.record === undefined ? [] : values.map((value) => set(name, value));
  };
  return [
    ...toggled('rollback', rollbacks.map(versionOf)),
    ...toggled('approve', approves.map(versionOf)),
    ...toggled('retry', ['now']),
  ];
}

const SETTINGS: readonly ProcedureSettings[] = [{ paused: true }, { version: versionOf(2) }, { policy: 'Manual' }];

function settings(model: Model, state: State, owner: Owner): readonly State[] {
  return SETTINGS.map((setting) => {
    const names = Object.keys(setting);
    const others = Object.fromEntries(Object.entries(owner.spec).filter(([name]) => !names.includes(name)));
    const isSet = Object.keys(others).length < Object.keys(owner.spec).length;
    const budget = isSet ? state.budget : state.budget - 1;
    return model.withOwner(state, { ...owner, spec: isSet ? others : { ...others, ...setting } }, { budget });
  });
}

/** Status lost, alone or with the mirror; restored under another uid; dropped from now on by the kind's definition. */
function losses(model: Model, state: State, owner: Owner): readonly State[] {
  const budget = state.budget - 1;
  const lost = { ...owner, record: undefined, promised: undefined };
  return [
    model.withOwner(state, lost, { budget }),
    model.withOwner(state, { ...lost, mirror: undefined }, { budget, lost: true, promised: undefined }),
    model.withOwner(state, { ...lost, uid: OTHER_UID }, { budget, promised: undefined }),
    model.withOwner(state, lost, { budget, drops: true }),
  ];
}
