// Eviction: the deletion of a pod, if the disruption budgets that protect it allow it.
import { badRequest, internal, notFound, tooManyRequests } from '../errors.ts';
import { at, freezeJson, isObject, type JsonObject, type KubeObject, objectsOf } from '../json.ts';
import { number, text } from '../kinds/columns/cells.ts';
import { matchesSelector } from '../kinds/label-match.ts';
import { objectKey } from '../store/table.ts';
import { now, stored, subjectOf, type Call, type Core, type Result } from './core.ts';
import { importObject } from './decode.ts';
import { deleteObject } from './delete.ts';
import { deleteOptions, writeOptions } from './options.ts';

const BUDGETS = 'poddisruptionbudgets.policy';
const RETRY_AFTER_SECONDS = 10;

/** POST on `/eviction` of a pod. */
export function evict(core: Core, call: Call): Result {
  const { dryRun } = writeOptions(call.info.query, 'CreateOptions', false);
  const body = importObject(call.request.body);
  const name = at(body, 'metadata', 'name');
  if (body['kind'] !== undefined && body['kind'] !== 'Eviction') {
    throw badRequest(`the kind in the data (${text(body['kind'])}) does not match the expected kind (Eviction)`);
  }
  if (name !== undefined && name !== call.resource.name)
    throw badRequest('name in URL does not match name in Eviction object');
  const pod = stored(core, call);
  if (pod === undefined) throw notFound(subjectOf(call, call.resource.name));
  const given = isObject(body['deleteOptions']) ? { ...body['deleteOptions'], kind: 'DeleteOptions' } : undefined;
  const options = deleteOptions(new URLSearchParams(), given);
  const simulated = dryRun || options.dryRun;
  const passed = admitEviction(call, body, simulated);
  if (isGuarded(pod)) spendBudget(core, pod, simulated);
  deleteObject(core, passed, pod, { ...options, dryRun: simulated });
  return {
    status: 201,
    body: freezeJson({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 }),
  };
}

/** Webhooks see the creation of an Eviction, not the deletion that follows from it. */
function admitEviction(call: Call, body: JsonObject, dryRun: boolean): Call {
  if (call.gate === undefined) return call;
  const { name, namespace } = call.resource;
  const object: KubeObject = { ...body, kind: 'Eviction', apiVersion: 'policy/v1', metadata: { name, namespace } };
  const kind = { group: 'policy', version: 'v1', kind: 'Eviction' };
  const admission = { operation: 'CREATE', object, oldObject: undefined, dryRun, kind } as const;
  call.gate.mutate(admission, object);
  call.gate.validate(admission);
  return { ...call, gate: undefined };
}

/** Pods that do not run or already end disturb nobody. */
function isGuarded(pod: KubeObject): boolean {
  const phase = at(pod, 'status', 'phase');
  if (phase === 'Succeeded' || phase === 'Failed' || phase === 'Pending') return false;
  return pod.metadata.deletionTimestamp === undefined;
}

function spendBudget(core: Core, pod: KubeObject, dryRun: boolean): void {
  const namespace = pod.metadata.namespace ?? '';
  const budgets = core.store.objects(BUDGETS, namespace);
  const matching = budgets.filter((budget) => matchesSelector(at(budget, 'spec', 'selector'), pod.metadata.labels));
  if (matching.length > 1) {
    throw internal('This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.');
  }
  const [budget] = matching;
  if (budget === undefined) return;
  const status = isObject(budget['status']) ? budget['status'] : {};
  if (!isReady(pod) && mayGoUnready(budget, status)) return;
  const name = budget.metadata.name ?? '';
  if (number(status['observedGeneration']) < (budget.metadata.generation ?? 0)) {
    throw refused(`The disruption budget ${name} is still being processed by the server.`);
  }
  const allowed = number(status['disruptionsAllowed']);
  if (allowed <= 0) {
    const [needed, healthy] = [number(status['desiredHealthy']), number(status['currentHealthy'])];
    throw refused(`The disruption budget ${name} needs ${needed} healthy pods and has ${healthy} currently`);
  }
  if (dryRun) return;
  const disrupted = {
    ...(isObject(status['disruptedPods']) ? status['disruptedPods'] : {}),
    [pod.metadata.name ?? '']: now(core),
  };
  const spent: JsonObject = { ...status, disruptionsAllowed: allowed - 1, disruptedPods: disrupted };
  core.store.put(BUDGETS, objectKey(namespace, name), { ...budget, status: spent });
}

/** A pod that is not ready may go if its budget says so, or if the ready ones are enough. */
function mayGoUnready(budget: KubeObject, status: JsonObject): boolean {
  if (at(budget, 'spec', 'unhealthyPodEvictionPolicy') === 'AlwaysAllow') return true;
  return number(status['currentHealthy']) >= number(status['desiredHealthy']) && number(status['desiredHealthy']) > 0;
}

function isReady(pod: KubeObject): boolean {
  return objectsOf(at(pod, 'status', 'conditions')).some((one) => one['type'] === 'Ready' && one['status'] === 'True');
}

function refused(why: string): Error {
  const message = "Cannot evict pod as it would violate the pod's disruption budget.";
  return tooManyRequests(message, RETRY_AFTER_SECONDS, [{ reason: 'DisruptionBudget', message: why }]);
}
