// Probes and lifecycle hooks.
import { isObject } from '../../json.ts';
import type { Json, JsonObject } from '../../json.ts';
import { listAt, objectAt, textAt } from './faults.ts';
import type { Faults } from './faults.ts';
import { checkPortReference } from './texts.ts';

const HANDLERS = ['exec', 'httpGet', 'tcpSocket', 'grpc', 'sleep'];

/** A probe; `once`: a single success must be enough. */
export function checkProbe(probe: Json | undefined, path: string, once: boolean, faults: Faults): void {
  if (!isObject(probe)) return;
  checkHandler(probe, path, faults);
  faults.notNegatives(
    path,
    probe,
    'initialDelaySeconds',
    'timeoutSeconds',
    'periodSeconds',
    'successThreshold',
    'failureThreshold',
  );
  const successes = probe['successThreshold'];
  if (once && typeof successes === 'number' && successes !== 1)
    faults.invalid(`${path}.successThreshold`, successes, 'must be 1');
}

/** The hooks of a container. */
export function checkLifecycle(container: JsonObject, path: string, faults: Faults): void {
  const lifecycle = objectAt(container, 'lifecycle');
  for (const hook of ['postStart', 'preStop']) {
    const handler = lifecycle[hook];
    if (isObject(handler)) checkHandler(handler, `${path}.lifecycle.${hook}`, faults);
  }
}

function checkHandler(owner: JsonObject, path: string, faults: Faults): void {
  let count = 0;
  for (const kind of HANDLERS) {
    const handler = owner[kind];
    if (!isObject(handler)) continue;
    const place = `${path}.${kind}`;
    if (++count > 1) faults.forbidden(place, 'may not specify more than 1 handler type');
    else if (kind === 'exec') {
      if (listAt(handler, 'command').length === 0) faults.required(`${place}.command`);
    } else if (kind === 'httpGet') {
      if (textAt(handler, 'path') === '') faults.required(`${place}.path`);
      checkPortReference(`${place}.port`, handler['port'], faults);
      faults.oneOf(`${place}.scheme`, handler['scheme'], ['HTTP', 'HTTPS']);
    } else if (kind === 'tcpSocket') checkPortReference(`${place}.port`, handler['port'], faults);
    else if (kind === 'grpc') faults.port(`${place}.port`, handler['port']);
  }
  if (count === 0) faults.required(path, 'must specify a handler type');
}
