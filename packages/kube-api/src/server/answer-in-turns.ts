// Requests that webhooks are asked about: run as often from the start as it takes, and committed once.
import { Attempt } from '../admission/attempt.ts';
import { settle } from '../admission/settle.ts';
import { Unanswered } from '../admission/unanswered.ts';
import { hasWebhooks } from '../admission/webhook.ts';
import { conflict, OBJECT_MODIFIED } from '../errors.ts';
import type { KubeObject } from '../json.ts';
import { objectKey } from '../store/table.ts';
import type { ApiRequest, ApiResponse } from '../transport.ts';
import { admitted, answer, type Incoming, type Policy } from './answer.ts';
import { errorResponse, type Core } from './core.ts';
import type { RequestInfo, Verb } from './request-info.ts';

const READING: ReadonlySet<Verb> = new Set(['get', 'list', 'watch']);

/** Whether a webhook may have to be asked before the request can be answered. */
export function mayWait({ store, registry }: Core, { resource }: RequestInfo): boolean {
  if (resource === undefined) return false;
  if (!READING.has(resource.verb) && hasWebhooks(store)) return true;
  return registry.find(resource.group, resource.version, resource.resource)?.converter !== undefined;
}

type Hook = (request: ApiRequest, proceed: () => ApiResponse) => ApiResponse | Promise<ApiResponse>;

/** The answer to a request for which `mayWait` holds. */
export async function answerInTurns(
  core: Core,
  policy: Policy,
  incoming: Incoming,
  hook: Hook | undefined,
): Promise<ApiResponse> {
  const attempt = new Attempt(core);
  const run = (on: Core): ApiResponse => answer(on, policy, incoming, attempt);
  try {
    const others = othersOf(core, incoming.info);
    await askAnew(core, incoming);
    if (hook === undefined) return await settle(core, () => run(core), others, attempt);
    // A hook decides when the request reaches the store, at once or not at all: so everything is asked before, of a copy.
    const copy = (): Core => ({ ...core, registry: core.registry.fork(), store: core.store.fork() });
    await settle(core, () => run(copy()), others, attempt);
  } catch (error) {
    return errorResponse(error);
  }
  return hook(incoming.request, () => {
    attempt.begin();
    try {
      return run(core);
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error;
      const { group = '', resource: kind = '', name = '' } = incoming.info.resource ?? {};
      return errorResponse(conflict({ group, kind, name }, OBJECT_MODIFIED));
    }
  });
}

/** A GET is a fresh read, for which the real server asks a conversion webhook each time; lists come from its cache. */
async function askAnew(core: Core, incoming: Incoming): Promise<void> {
  const { store, registry, outside } = core;
  const { resource } = incoming.info;
  if (resource?.verb !== 'get') return;
  const type = registry.find(resource.group, resource.version, resource.resource);
  if (type?.converter === undefined) return;
  const stored = store.get(type.table, objectKey(resource.namespace, resource.name));
  if (stored === undefined) return;
  admitted(core, incoming);
  await type.converter.refresh(stored, outside);
}

/** What else a conversion webhook may be asked about in one go. */
function othersOf({ store, registry }: Core, { resource }: RequestInfo): readonly KubeObject[] {
  if (resource === undefined || (resource.verb !== 'list' && resource.verb !== 'deletecollection')) return [];
  const type = registry.find(resource.group, resource.version, resource.resource);
  return type?.converter === undefined ? [] : store.objects(type.table, resource.namespace);
}
