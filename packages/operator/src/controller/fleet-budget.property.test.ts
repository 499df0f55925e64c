// The fleet budget under any order of what happens: never more on their way than allowed, and none after too many stall.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { KubernetesObject } from '@pawl/reconciler/kubernetes';
import { fleetObject, type FleetPhase } from '../testing/fleet-object.ts';
import { FleetBudget } from './fleet-budget.ts';

const moves = fc.array(
  fc.record({ at: fc.nat(), what: fc.constantFrom('admit', 'admit', 'seen', 'soak', 'stall', 'done', 'crash') }),
  { maxLength: 80 },
);

test('whatever happens, the limits hold, and a slot that is free is given', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 60 }), fc.constantFrom(1, 5, 20, 100), moves, (count, maxOpenPercent, all) => {
      const phases = new Map<string, FleetPhase>(Array.from({ length: count }, (_, index) => [`o${index}`, 'Steady'] as const));
      /** Hops that have begun, whether the cache shows them yet or not. */
      const begun = new Set<string>();
      const objects = (): KubernetesObject[] => [...phases].map(([uid, phase]) => fleetObject(uid, phase));
      const limits = { maxOpenPercent, maxStalled: 3 };
      const budget = new FleetBudget(limits, objects);
      const most = Math.max(1, Math.floor((count * maxOpenPercent) / 100));
      const isStalled = (uid: string): boolean => phases.get(uid) === 'Stalled';
      const open = (): number => [...begun].filter((uid) => phases.get(uid) !== 'Soaking').length;
      for (const { at, what } of all) {
        const uid = `o${at % count}`;
        if (what === 'admit' && !begun.has(uid)) {
          const stalled = [...phases.keys()].filter(isStalled).length;
          const isFree = open() < most && stalled < limits.maxStalled;
          const gate = budget.admit(uid);
          expect(gate).toBe(isFree ? undefined : stalled >= limits.maxStalled ? 'FleetHalted' : 'WaitingForSlot');
          if (gate === undefined) begun.add(uid);
        } else if (!begun.has(uid)) continue;
        else if (what === 'seen') phases.set(uid, 'Upgrading');
        else if (what === 'soak' && phases.get(uid) === 'Upgrading' && open() <= most) phases.set(uid, 'Soaking');
        else if (what === 'stall' && phases.get(uid) === 'Upgrading') phases.set(uid, 'Stalled');
        else if (what === 'done' && phases.get(uid) !== 'Steady') {
          phases.set(uid, 'Steady');
          begun.delete(uid);
          budget.release(uid);
        } else if (what === 'crash' && phases.get(uid) === 'Steady') {
          // The intent could not be written after all.
          begun.delete(uid);
          budget.release(uid);
        }
        expect(open()).toBeLessThanOrEqual(most);
      }
    }),
    { numRuns: 600 },
  );
});
