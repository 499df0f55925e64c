// The gate that writes pass on a server with webhooks: mutating ones in turn, then validating ones all together.
import { StatusError } from '../errors.ts';
import { without, type KubeObject, type ObjectMeta } from '../json.ts';
import type { ResourceType } from '../kinds/resource-type.ts';
import { patchedBy } from './patched.ts';
import type { Call, Core } from '../server/core.ts';
import { withCleanMetadata } from '../server/decode.ts';
import type { Admission, AdmissionGate } from './admission.ts';
import type { Attempt } from './attempt.ts';
import { selects, wantedType, type Target } from './match.ts';
import { calledInVain, verdictOf, type Verdict } from './response.ts';
import { reviewRequest } from './review.ts';
import { MUTATING_TABLE, VALIDATING_TABLE, webhooksOf, type Webhook } from './webhook.ts';
import type { Question } from './unanswered.ts';

/** The gate of one request. */
export class Gate implements AdmissionGate {
  readonly #core: Core;
  readonly #call: Call;
  readonly #attempt: Attempt;

  constructor(core: Core, call: Call, attempt: Attempt) {
    this.#core = core;
    this.#call = call;
    this.#attempt = attempt;
  }

  creating(object: KubeObject, isNamed: boolean, dryRun: boolean): KubeObject {
    const { uid, creationTimestamp, generation, ...given } = object.metadata;
    const { name } = given;
    const shown = { ...object, metadata: isNamed ? given : without<ObjectMeta>(given, 'name') };
    const changed = this.mutate({ operation: 'CREATE', object: shown, oldObject: undefined, dryRun }, shown);
    if (changed === shown) return object;
    const system = { uid, creationTimestamp, generation };
    const kept = Object.fromEntries(Object.entries(system).filter(([, value]) => value !== undefined));
    const metadata: ObjectMeta = { ...(name === undefined ? {} : { name }), ...changed.metadata, ...kept };
    return { ...changed, metadata };
  }

  deleting(oldObject: KubeObject, dryRun: boolean): void {
    const admission: Admission = { operation: 'DELETE', object: undefined, oldObject, dryRun };
    this.mutate(admission, oldObject);
    this.validate(admission);
  }

  refusalOfDeletion(oldObject: KubeObject, dryRun: boolean): StatusError | undefined {
    try {
      this.deleting(oldObject, dryRun);
      return undefined;
    } catch (error) {
      if (error instanceof StatusError) return error;
      throw error;
    }
  }

  mutate(admission: Admission, object: KubeObject): KubeObject {
    const webhooks = webhooksOf(this.#core.store, MUTATING_TABLE);
    let current = object;
    let lastChange = -1;
    const called = new Set<Webhook>();
    const run = (webhook: Webhook, index: number): void => {
      const shown = admission.object === undefined ? admission : { ...admission, object: current };
      const seen = this.#seenBy(webhook, shown);
      if (seen === undefined) return;
      called.add(webhook);
      const next = this.#mutated(webhook, shown, seen, current);
      if (next !== current) lastChange = index;
      current = next;
    };
    for (const [index, webhook] of webhooks.entries()) run(webhook, index);
    // Those that ask for it see the object once more if somebody after them changed it.
    for (const [index, webhook] of webhooks.entries()) {
      if (webhook.isReinvoked && called.has(webhook) && index < lastChange) run(webhook, index);
    }
    return current;
  }

  validate(admission: Admission): void {
    const wanted = webhooksOf(this.#core.store, VALIDATING_TABLE).flatMap((webhook) => {
      const seen = this.#seenBy(webhook, admission);
      return seen === undefined ? [] : [{ webhook, question: this.#question(webhook, admission, seen, false) }];
    });
    const answers = this.#attempt.answers(wanted.map(({ question }) => question)) as readonly (Verdict | string)[];
    for (const [index, { webhook }] of wanted.entries()) this.#accept(webhook, answers[index] ?? '');
  }

  #mutated(webhook: Webhook, admission: Admission, seen: ResourceType, current: KubeObject): KubeObject {
    const [answer] = this.#attempt.answers([this.#question(webhook, admission, seen, true)]) as (Verdict | string)[];
    const patch = this.#accept(webhook, answer ?? '')?.patch;
    if (patch === undefined || admission.object === undefined) return current;
    const { type } = this.#call;
    const before = inVersion(current, type, seen);
    const patched = patchedBy(before, patch);
    if (patched === before) return current;
    const decoded = seen.rules.decode(withCleanMetadata(patched)).object;
    return inVersion(decoded, seen, type);
  }

  /** The verdict of an answer that lets the request go on; undefined if its failure is ignored. */
  #accept(webhook: Webhook, answer: Verdict | string): Verdict | undefined {
    if (typeof answer === 'string') {
      if (webhook.ignoresFailure) return undefined;
      throw calledInVain(webhook.name, answer);
    }
    this.#call.warnings.push(...answer.warnings);
    if (answer.denial !== undefined) throw answer.denial;
    return answer;
  }

  #question(webhook: Webhook, admission: Admission, seen: ResourceType, isMutating: boolean): Question {
    const { type } = this.#call;
    const { object, oldObject } = admission;
    const request = reviewRequest(
      this.#call,
      {
        ...admission,
        object: object === undefined ? undefined : inVersion(object, type, seen),
        oldObject: oldObject === undefined ? undefined : inVersion(oldObject, type, seen),
      },
      seen,
    );
    const { client, name, timeoutSeconds } = webhook;
    return {
      key: `${webhook.id} ${JSON.stringify(request)}`,
      ask: async (outside) => {
        const uid = outside.uuid();
        const review = { kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1', request: { uid, ...request } };
        return verdictOf(name, uid, isMutating, await outside.post(client, review, timeoutSeconds));
      },
    };
  }

  #seenBy(webhook: Webhook, { operation, object, oldObject }: Admission): ResourceType | undefined {
    const { type, resource } = this.#call;
    const target: Target = { operation, type, subresource: resource.subresource };
    const versions = (): readonly ResourceType[] =>
      this.#core.registry.types().filter((other) => other.table === type.table && other !== type);
    const seen = wantedType(webhook, target, versions);
    if (seen === undefined) return undefined;
    const labels = [object, oldObject].flatMap((one) => (one === undefined ? [] : [one.metadata.labels]));
    return selects(webhook, this.#namespaceLabels(object ?? oldObject), labels) ? seen : undefined;
  }

  #namespaceLabels(object: KubeObject | undefined): KubeObject['metadata']['labels'] | 'none' {
    const { type, resource } = this.#call;
    if (type.table === 'namespaces') return object?.metadata.labels;
    if (!type.namespaced) return 'none';
    return this.#core.store.get('namespaces', object?.metadata.namespace ?? resource.namespace)?.metadata.labels;
  }
}

/** An object of one version of a resource in another; the same value for the same version. */
function inVersion(object: KubeObject, from: ResourceType, to: ResourceType): KubeObject {
  return from === to || object.kind !== from.kind ? object : to.fromStorage(from.toStorage(object));
}
