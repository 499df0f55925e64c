// Every kind of span: its name, its attributes and what it means. Dashboards and queries hold these names: none is ever
// renamed.
//
// Names that OpenTelemetry's conventions have are theirs (`http.*`, `url.*`, `server.*`, `error.type`,
// `k8s.namespace.name`); an object is named as the collector's receivers name it (`k8s.object.*`); the rest is `pawl.*`.

export interface SpanSpec {
  /** `<...>` stands for what differs from span to span. */
  readonly name: string;
  readonly kind: 'internal' | 'client';
  readonly attributes: readonly string[];
  readonly help: string;
}

export const SPANS = {
  reconcile: {
    name: 'reconcile <Kind>',
    kind: 'internal',
    attributes: [
      'k8s.object.api_version',
      'k8s.object.kind',
      'k8s.namespace.name',
      'k8s.object.name',
      'k8s.object.uid',
      'pawl.object.generation',
      'pawl.procedure.version',
      'pawl.procedure.target',
      'pawl.mode',
      'pawl.cycle.id',
      'pawl.reconcile.attempt',
      'pawl.reconcile.result',
      'error.type',
    ],
    help: 'One pass over one object; version, mode and cycle are those of the last cycle of Actions in it',
  },
  action: {
    name: 'action <Name>',
    kind: 'internal',
    attributes: [
      'pawl.action.name',
      'pawl.action.status',
      'pawl.action.reason',
      'pawl.action.changes',
      'pawl.procedure.version',
      'pawl.mode',
      'pawl.cycle.id',
      'error.type',
    ],
    help: 'One Action whose body ran; what was skipped, blocked or still known has no span',
  },
  request: {
    name: '<METHOD> <url.template>',
    kind: 'client',
    attributes: [
      'http.request.method',
      'url.template',
      'url.full',
      'server.address',
      'server.port',
      'http.response.status_code',
      'error.type',
    ],
    help: 'One request to the API server within another span; each attempt has its own',
  },
} as const satisfies Readonly<Record<string, SpanSpec>>;

export type AttributeName = (typeof SPANS)[keyof typeof SPANS]['attributes'][number];
