// Services and Endpoints.
import { equalJson } from '../../json.ts';
import type { JsonObject, KubeObject } from '../../json.ts';
import { labelName, subdomainName } from '../../server/names.ts';
import { entriesAt, listAt, objectAt, textAt } from './faults.ts';
import type { Faults } from './faults.ts';
import { checkLabels } from './selectors.ts';
import { addressRange, checkPortReference, ipAddress } from './texts.ts';

const TYPES = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];
const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];

/** A Service. */
export function checkService(before: KubeObject | undefined, after: KubeObject, faults: Faults): void {
  const spec = objectAt(after, 'spec');
  const type = textAt(spec, 'type');
  const headless = spec['clusterIP'] === 'None';
  const external = type === 'NodePort' || type === 'LoadBalancer';
  if (listAt(spec, 'ports').length === 0 && !headless && type !== 'ExternalName') faults.required('spec.ports');
  if (headless && external) {
    faults.invalid('spec.clusterIPs[0]', 'None', `may not be set to 'None' for ${type} services`);
  }
  if (type === 'ExternalName') {
    const name = textAt(spec, 'externalName');
    if (name === '') faults.required('spec.externalName');
    else faults.text('spec.externalName', name, subdomainName);
  }
  checkPorts(spec, type, faults);
  checkLabels('spec.selector', objectAt(spec, 'selector'), faults);
  checkSession(spec, faults);
  if (type !== 'ExternalName' && !headless) {
    for (const [index, address] of listAt(spec, 'clusterIPs').entries()) {
      if (typeof address === 'string') faults.text(`spec.clusterIPs[${index}]`, address, ipAddress);
    }
  }
  for (const [index, address] of listAt(spec, 'externalIPs').entries()) {
    if (typeof address === 'string') faults.text(`spec.externalIPs[${index}]`, address, ipAddress);
  }
  faults.oneOf('spec.type', spec['type'], TYPES);
  for (const [index, range] of listAt(spec, 'loadBalancerSourceRanges').entries()) {
    if (typeof range === 'string') faults.text(`spec.LoadBalancerSourceRanges[${index}]`, range, addressRange);
  }
  checkPolicies(spec, external, faults);
  if (before !== undefined) checkAddresses(before, spec, faults);
}

function checkPorts(spec: JsonObject, type: string, faults: Faults): void {
  const ports = entriesAt(spec, 'ports', 'spec');
  const names = new Set<string>();
  for (const [index, [port, path]] of ports.entries()) {
    const name = textAt(port, 'name');
    if (name === '' && ports.length > 1) faults.required(`${path}.name`);
    else if (name !== '') {
      faults.text(`${path}.name`, name, labelName);
      if (names.has(name)) faults.duplicate(`${path}.name`, name);
      names.add(name);
    }
    faults.port(`${path}.port`, port['port']);
    faults.oneOf(`${path}.protocol`, port['protocol'], PROTOCOLS);
    checkPortReference(`${path}.targetPort`, port['targetPort'], faults);
    const nodePort = port['nodePort'];
    if (nodePort !== undefined && nodePort !== 0 && (type === 'ClusterIP' || type === 'ExternalName')) {
      faults.forbidden(`${path}.nodePort`, `may not be used when \`type\` is '${type}'`);
    }
    const same = ports.findIndex(([other]) => other['port'] === port['port'] && other['protocol'] === port['protocol']);
    if (same < index) {
      const { protocol = '', port: number = 0 } = port;
      faults.duplicate(path, {
        Name: '',
        Protocol: protocol,
        AppProtocol: null,
        Port: number,
        TargetPort: 0,
        NodePort: 0,
      });
    }
  }
}

function checkSession(spec: JsonObject, faults: Faults): void {
  faults.oneOf('spec.sessionAffinity', spec['sessionAffinity'], ['ClientIP', 'None']);
  const seconds = objectAt(objectAt(spec, 'sessionAffinityConfig'), 'clientIP')['timeoutSeconds'];
  if (typeof seconds === 'number' && (seconds <= 0 || seconds > 86_400)) {
    faults.invalid(
      'spec.sessionAffinityConfig.clientIP.timeoutSeconds',
      seconds,
      'must be greater than 0 and less than 86400',
    );
  }
}

function checkPolicies(spec: JsonObject, external: boolean, faults: Faults): void {
  const policy = spec['externalTrafficPolicy'];
  if (policy !== undefined) {
    if (external || listAt(spec, 'externalIPs').length > 0)
      faults.oneOf('spec.externalTrafficPolicy', policy, ['Cluster', 'Local']);
    else faults.invalid('spec.externalTrafficPolicy', policy, 'may only be set for externally-accessible services');
  }
  faults.oneOf('spec.internalTrafficPolicy', spec['internalTrafficPolicy'], ['Cluster', 'Local']);
}

/** The addresses of a service that had some stay. */
function checkAddresses(before: KubeObject, spec: JsonObject, faults: Faults): void {
  const old = objectAt(before, 'spec');
  if (old['type'] === 'ExternalName' || spec['type'] === 'ExternalName' || textAt(old, 'clusterIP') === '') return;
  if (spec['clusterIP'] !== old['clusterIP'])
    faults.invalid('spec.clusterIPs[0]', [textAt(spec, 'clusterIP')], 'may not change once set');
  else if (!equalJson(listAt(spec, 'clusterIPs')[0], listAt(old, 'clusterIPs')[0])) {
    faults.invalid('spec.clusterIPs[0]', spec['clusterIPs'], 'may not change once set');
  }
}

/** Endpoints. */
export function checkEndpoints(_before: KubeObject | undefined, after: KubeObject, faults: Faults): void {
  for (const [subset, path] of entriesAt(after, 'subsets', '').map(([one, place]) => [one, place.slice(1)] as const)) {
    if (listAt(subset, 'addresses').length + listAt(subset, 'notReadyAddresses').length === 0) {
      faults.required(path, 'must specify `addresses` or `notReadyAddresses`');
    }
    for (const [address, place] of entriesAt(subset, 'addresses', path))
      faults.text(`${place}.ip`, textAt(address, 'ip'), ipAddress);
    for (const [port, place] of entriesAt(subset, 'ports', path)) faults.port(`${place}.port`, port['port']);
  }
}
