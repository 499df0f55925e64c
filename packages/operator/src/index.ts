// The runtime: what a program that runs procedure packages, or works on the same objects, needs.
export { KubeError } from './client/api-error.ts';
export { isConflict, isForbidden, isInvalid, isNotFound } from './client/error-kinds.ts';
export { KubeClient } from './client/kube-client.ts';
export type { KindRef } from './client/kube-client.ts';
export type { ObjectName } from './client/paths.ts';
export { systemClock, systemRandom } from './clock.ts';
export type { MonotonicClock } from './clock.ts';
export { ConfigError, operatorConfig } from './config.ts';
export type { OperatorConfig, OperatorConfigInput } from './config.ts';
export { connect } from './connect.ts';
export { KindNotServedError } from './discovery/kind-not-served.ts';
export type { Operator } from './operator.ts';
export { loadPackages } from './packages.ts';
export type { ServerChoice, Surroundings } from './transport/choose-server.ts';
export type { HttpTransport } from './transport/http-transport.ts';
export type { ApiRequest, ApiResponse, Transport, WatchEvent, WatchResponse } from './transport/transport.ts';
export { createOperator, operatorContainer } from './wiring/operator-module.ts';
export type { OperatorPorts } from './wiring/operator-module.ts';
