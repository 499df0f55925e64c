// Ingresses and network policies.
import { isIP } from 'node:net';
import { isObject } from '../../json.ts';
import type { JsonObject, KubeObject } from '../../json.ts';
import { label1035Name, subdomainName } from '../../server/names.ts';
import { entriesAt, listAt, objectAt, textAt } from './faults.ts';
import type { Faults } from './faults.ts';
import { checkSelector } from './selectors.ts';
import { addressRange, checkPortReference } from './texts.ts';

const PATH_TYPES = ['Exact', 'Prefix', 'ImplementationSpecific'];

/** An Ingress. */
export function checkIngress(_before: KubeObject | undefined, after: KubeObject, faults: Faults): void {
  const spec = objectAt(after, 'spec');
  const backend = spec['defaultBackend'];
  if (listAt(spec, 'rules').length === 0 && backend === undefined) {
    faults.invalid('spec', undefined, 'either `defaultBackend` or `rules` must be specified');
  }
  if (isObject(backend)) checkBackend(backend, 'spec.defaultBackend', faults);
  for (const [rule, path] of entriesAt(spec, 'rules', 'spec')) {
    const host = textAt(rule, 'host');
    if (isIP(host) !== 0) faults.invalid(`${path}.host`, host, 'must be a DNS name, not an IP address');
    else if (host !== '') faults.text(`${path}.host`, host.replace(/^\*\./, ''), subdomainName);
    const http = rule['http'];
    if (!isObject(http)) continue;
    if (listAt(http, 'paths').length === 0) faults.required(`${path}.http.paths`);
    for (const [entry, place] of entriesAt(http, 'paths', `${path}.http`)) checkPath(entry, place, faults);
  }
}

function checkPath(entry: JsonObject, path: string, faults: Faults): void {
  const type = textAt(entry, 'pathType');
  const value = textAt(entry, 'path');
  if (type === '') {
    faults.required(`${path}.pathType`, 'pathType must be specified');
    return;
  }
  faults.oneOf(`${path}.pathType`, type, PATH_TYPES);
  if (!value.startsWith('/') && (value !== '' || type !== 'ImplementationSpecific')) {
    faults.invalid(`${path}.path`, value, 'must be an absolute path');
  }
  checkBackend(objectAt(entry, 'backend'), `${path}.backend`, faults);
}

function checkBackend(backend: JsonObject, path: string, faults: Faults): void {
  const { service, resource } = backend;
  if (isObject(service) && isObject(resource))
    faults.invalid(path, '', 'cannot set both resource and service backends');
  else if (isObject(service)) {
    faults.name(`${path}.service.name`, textAt(service, 'name'), label1035Name);
    const port = objectAt(service, 'port');
    const [name, number] = [textAt(port, 'name'), port['number']];
    if (name !== '' && number !== undefined && number !== 0)
      faults.invalid(path, '', 'cannot set both port name & port number');
    else if (name !== '') checkPortReference(`${path}.service.port.name`, name, faults);
    else if (number === undefined || number === 0) faults.required(path, 'port name or number is required');
    else faults.port(`${path}.service.port.number`, number);
  } else if (!isObject(resource)) faults.invalid(path, '', 'resource or service backend is required');
}

/** A NetworkPolicy. */
export function checkNetworkPolicy(_before: KubeObject | undefined, after: KubeObject, faults: Faults): void {
  const spec = objectAt(after, 'spec');
  checkSelector('spec.podSelector', objectAt(spec, 'podSelector'), faults);
  for (const [direction, key] of [
    ['ingress', 'from'],
    ['egress', 'to'],
  ] as const) {
    for (const [rule, path] of entriesAt(spec, direction, 'spec')) {
      for (const [port, place] of entriesAt(rule, 'ports', path)) {
        faults.oneOf(`${place}.protocol`, port['protocol'], ['TCP', 'UDP', 'SCTP']);
        if (port['port'] !== undefined) checkPortReference(`${place}.port`, port['port'], faults);
      }
      for (const [peer, place] of entriesAt(rule, key, path)) checkPeer(peer, place, faults);
    }
  }
  for (const [index, type] of listAt(spec, 'policyTypes').entries()) {
    faults.oneOf(`spec.policyTypes[${index}]`, type, ['Ingress', 'Egress']);
  }
}

function checkPeer(peer: JsonObject, path: string, faults: Faults): void {
  let count = 0;
  for (const key of ['podSelector', 'namespaceSelector']) {
    const selector = peer[key];
    if (!isObject(selector)) continue;
    count++;
    checkSelector(`${path}.${key}`, selector, faults);
  }
  const block = peer['ipBlock'];
  if (isObject(block)) {
    faults.name(`${path}.ipBlock.cidr`, textAt(block, 'cidr'), addressRange);
    if (count > 0) faults.forbidden(path, 'may not specify both ipBlock and another peer');
  } else if (count === 0) faults.required(path, 'must specify a peer');
}
