// The ways of exploring, by name.
import { admissionMode, clusterMode } from './around-modes.ts';
import { doubleMode, editMode, installMode, interruptedMode, rollbackMode, teardownMode, upgradeMode } from './crash-modes.ts';
import { clockMode, leadersMode, randomMode, requestMode, staleMode, unobservedMode, watchMode } from './fault-modes.ts';
import type { Mode, ModeName } from './job.ts';
import { recordedMode } from './recorded-mode.ts';

/** The modes that kill: without a crash point they have proved nothing. */
export const KILLING: ReadonlySet<ModeName> = new Set(['install', 'upgrade', 'interrupted', 'rollback', 'teardown', 'edit', 'double', 'recorded']);

export const RUN_BY: Readonly<Record<ModeName, Mode>> = {
  install: installMode,
  upgrade: upgradeMode,
  interrupted: interruptedMode,
  rollback: rollbackMode,
  teardown: teardownMode,
  edit: editMode,
  requests: requestMode,
  watches: watchMode,
  stale: staleMode,
  clock: clockMode,
  double: doubleMode,
  unobserved: unobservedMode,
  leaders: leadersMode,
  cluster: clusterMode,
  admission: admissionMode,
  recorded: recordedMode,
  random: randomMode,
};
