// The runtime: what a program that runs procedure packages needs.
export { systemClock, systemRandom } from './clock.ts';
export type { MonotonicClock } from './clock.ts';
export { ConfigError, operatorConfig } from './config.ts';
export type { OperatorConfig, OperatorConfigInput } from './config.ts';
export type { Operator } from './operator.ts';
export { loadPackages } from './packages.ts';
export { createOperator, operatorContainer } from './wiring/operator-module.ts';
export type { OperatorPorts } from './wiring/operator-module.ts';
