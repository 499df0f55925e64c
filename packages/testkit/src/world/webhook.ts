// A webhook that changes one write of the operator, as service meshes and policies do, and lets everything else pass.
import type { ApiServer, WebhookMessage, WebhookReply } from '@pawl/kube-api';
import type { AdmissionAnswer, Fault } from './faults.ts';

type Fields = Readonly<Record<string, unknown>>;
interface Operation {
  readonly op: 'add';
  readonly path: string;
  readonly value: unknown;
}

/** What marks everything that the webhook adds. */
export const ADDED = 'explore.pawl.dev/added';
export const SIDECAR = 'explore-sidecar';
export const DEFAULT_KEY = 'explore-default';

/** Whether a plan needs a webhook that is asked by the server; a refusal needs none. */
export const needsWebhook = (faults: readonly Fault[]): boolean =>
  faults.some((fault) => fault.kind === 'admission' && fault.answer.startsWith('adds'));

export class Webhook {
  #next: { readonly name: string; readonly answer: AdmissionAnswer } | undefined;

  /** The next write of the object of this name is changed. */
  arm = (name: string, answer: AdmissionAnswer): void => {
    this.#next = { name, answer };
  };

  /** Lets a server know of it. */
  configure = (api: Pick<ApiServer, 'request'>): void => {
    const rules = [{ apiGroups: ['*'], apiVersions: ['*'], resources: ['*'], operations: ['CREATE', 'UPDATE'] }];
    const webhook = { name: 'guard.explore.pawl.dev', clientConfig: { url: 'https://guard.explore.test/' }, rules, sideEffects: 'None', admissionReviewVersions: ['v1'] };
    const body = { apiVersion: 'admissionregistration.k8s.io/v1', kind: 'MutatingWebhookConfiguration', metadata: { name: 'guard.explore.pawl.dev' }, webhooks: [webhook] };
    void api.request({ method: 'POST', path: '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations', body });
  };

  /** What the server calls. */
  send = ({ body: { apiVersion, kind, request } }: WebhookMessage): Promise<WebhookReply> => {
    const { uid, object, name } = request as { readonly uid: string; readonly object: Fields; readonly name?: string };
    const isMeant = this.#next !== undefined && this.#next.name === (name ?? (object['metadata'] as { readonly name?: string }).name);
    const operations = isMeant && this.#next !== undefined ? additionsTo(object, this.#next.answer) : [];
    if (isMeant) this.#next = undefined;
    const patch = Buffer.from(JSON.stringify(operations)).toString('base64');
    const response = { uid, allowed: true, ...(operations.length === 0 ? {} : { patchType: 'JSONPatch', patch }) };
    return Promise.resolve({ status: 200, text: JSON.stringify({ apiVersion, kind, response }) });
  };
}

/** What the webhook adds to an object; nothing where it does not fit. */
export function additionsTo(object: Fields, answer: AdmissionAnswer): readonly Operation[] {
  const template = (object['spec'] as { readonly template?: { readonly metadata?: Fields; readonly spec?: { readonly containers?: readonly object[] } } } | undefined)?.template;
  if (hasAddition(object, answer)) return [];
  const marker = escaped(ADDED);
  if (answer === 'adds-label') return [{ op: 'add', path: `/metadata/labels/${marker}`, value: 'on' }];
  if (answer === 'adds-sidecar' && template?.spec?.containers !== undefined)
    return [{ op: 'add', path: '/spec/template/spec/containers/-', value: { name: SIDECAR, image: 'sidecar:1' } }];
  if (answer !== 'adds-default') return [];
  if (object['data'] !== undefined && object['immutable'] !== true) return [{ op: 'add', path: `/data/${DEFAULT_KEY}`, value: 'b24=' }];
  if (template?.metadata === undefined) return [];
  return [{ op: 'add', path: '/spec/template/metadata/annotations', value: { ...(template.metadata['annotations'] as Fields | undefined), [ADDED]: 'on' } }];
}

/** Whether an object has what the webhook adds. */
export function hasAddition(object: Fields, answer: AdmissionAnswer): boolean {
  const { metadata, data, spec } = object as Additions & { readonly metadata?: { readonly labels?: Fields } };
  if (answer === 'adds-label') return metadata?.labels?.[ADDED] !== undefined;
  if (answer === 'adds-sidecar') return spec?.template?.spec?.containers?.some(({ name }) => name === SIDECAR) === true;
  return data?.[DEFAULT_KEY] !== undefined || spec?.template?.metadata?.annotations?.[ADDED] !== undefined;
}

/** An object as it would be without the webhook, but for its labels. */
export function withoutAdditions<T extends object>(object: T): T {
  const { data, spec } = object as Additions;
  const { template } = spec ?? {};
  const hasKey = data?.[DEFAULT_KEY] !== undefined;
  const isInTemplate = template?.metadata?.annotations?.[ADDED] !== undefined || template?.spec?.containers?.some(({ name }) => name === SIDECAR) === true;
  if (!hasKey && !isInTemplate) return object;
  const without = (fields: Fields | undefined, key: string): Fields => Object.fromEntries(Object.entries(fields ?? {}).filter(([name]) => name !== key));
  const annotations = without(template?.metadata?.annotations, ADDED);
  const metadata = { ...without(template?.metadata as Fields | undefined, 'annotations'), ...(Object.keys(annotations).length === 0 ? {} : { annotations }) };
  const containers = template?.spec?.containers?.filter(({ name }) => name !== SIDECAR);
  const cleaned = { ...spec, template: { ...template, metadata, spec: { ...template?.spec, containers } } };
  return { ...object, ...(hasKey ? { data: without(data, DEFAULT_KEY) } : {}), ...(isInTemplate ? { spec: cleaned } : {}) };
}

interface Additions {
  readonly data?: Fields;
  readonly spec?: { readonly template?: { readonly metadata?: { readonly annotations?: Fields }; readonly spec?: { readonly containers?: readonly { readonly name: string }[] } } };
}

const escaped = (name: string): string => name.replace(/~/g, '~0').replace(/\//g, '~1');
