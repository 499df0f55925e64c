// The protocol as the controller knows it: a function that tests may weaken to show that each of its rules matters.
import type { ProtocolState, Step } from '@pawl/reconciler';

export type ProtocolFunction = (state: ProtocolState) => Step;
