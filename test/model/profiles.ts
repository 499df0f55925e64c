// Which worlds are explored: each profile on all catalogs, or on a part of them.
import type { Profile } from './model.ts';

export interface NamedProfile extends Profile {
  readonly name: string;
  /** Of so many catalogs one is explored. */
  readonly every?: number;
}

export const PROFILES: readonly NamedProfile[] = [
  {
    name: 'crashes, late writes, stale caches, failures',
    zombie: true,
    stale: true,
    fail: true,
    outside: [],
    budget: 0,
  },
  { name: 'two requests', outside: ['requests'], budget: 2, rollbacks: [1, 2, 3], approves: [3, 4] },
  { name: 'two losses or edits', outside: ['loss', 'child', 'edit', 'delete'], budget: 2 },
  {
    name: 'any outside event, late writes',
    zombie: true,
    outside: ['requests', 'spec', 'loss', 'child', 'edit', 'delete'],
    budget: 1,
  },
  {
    name: 'several late writes at once',
    zombie: true,
    lateWrites: 3,
    fail: true,
    outside: ['child', 'delete'],
    budget: 1,
    every: 4,
  },
  {
    name: 'a parent on its way, no slots',
    parent: true,
    zombie: true,
    outside: ['requests', 'slot', 'loss'],
    budget: 1,
    rollbacks: [1, 2],
    every: 4,
  },
  {
    name: 'strangers, accepted risks, critical sections',
    outside: ['stranger', 'loss', 'adopt', 'hold', 'requests'],
    budget: 2,
    every: 4,
  },
  {
    name: 'any two outside events',
    outside: ['requests', 'spec', 'loss', 'child', 'edit', 'delete'],
    budget: 2,
    every: 12,
  },
];

/** For products without versions. */
export const PLAIN_PROFILE: Profile = {
  zombie: true,
  stale: true,
  fail: true,
  outside: ['requests', 'loss', 'child', 'edit', 'delete'],
  budget: 1,
};

/** In which a weakened rule must show. */
export const SHARP = {
  base: { zombie: true, stale: true, fail: true, outside: [], budget: 0 },
  requests: { outside: ['requests'], budget: 3 },
  twoRequests: { outside: ['requests'], budget: 2 },
  mixed: { zombie: true, outside: ['requests', 'loss', 'child', 'edit', 'delete'], budget: 1 },
  losses: { outside: ['requests', 'loss', 'delete'], budget: 2 },
  lateWrites: { zombie: true, lateWrites: 3, outside: ['child'], budget: 1 },
  family: { parent: true, outside: ['slot', 'loss'], budget: 1 },
  strangers: { outside: ['stranger', 'loss', 'adopt', 'hold', 'requests'], budget: 2 },
} as const satisfies Readonly<Record<string, Profile>>;
