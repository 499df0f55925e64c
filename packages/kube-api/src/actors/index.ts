// Entry point of the actors.
export type { ActorName } from './base/actor.ts';
export type { ActorOptions, Actors } from './start.ts';
export { startActors } from './start.ts';
export type { PodBehaviour, PodOptions } from './pod/behaviour.ts';
export type { VolumeOptions } from './volume/index.ts';
