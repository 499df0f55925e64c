// Service: cluster addresses and node ports.
import { invalidValue, required } from '../../causes.ts';
import type { Cause } from '../../errors.ts';
import { at, isList, isObject, type Json, type JsonObject, type KubeObject, objectsOf, textsOf } from '../../json.ts';
import { label1035Name } from '../../server/names.ts';
import { number } from '../columns/cells.ts';
import type { RuleContext, Rules } from '../resource-type.ts';
import { editItems, editSpec, withDefaults, withStatus } from './edit.ts';

const NONE = 'None';
const FIRST_NODE_PORT = 30_000;
const NODE_PORTS = 2_768;

const isExternalName = (spec: JsonObject): boolean => spec['type'] === 'ExternalName';
const usesNodePorts = (spec: JsonObject): boolean => spec['type'] === 'NodePort' || spec['type'] === 'LoadBalancer';

/** Addresses and ports that the client left to the server. */
function allocated(object: KubeObject, context: RuleContext): KubeObject {
  return editSpec(object, (spec) => {
    if (isExternalName(spec)) return spec;
    const others = context.list('services', '').filter((other) => other.metadata.uid !== object.metadata.uid);
    const address = textsOf(spec['clusterIPs'])[0] ?? textOf(spec['clusterIP']) ?? freeAddress(others);
    const next = withDefaults(
      { ...spec, clusterIP: address },
      {
        clusterIPs: [address],
        ipFamilies: ['IPv4'],
        ipFamilyPolicy: 'SingleStack',
      },
    );
    if (!usesNodePorts(spec) || spec['allocateLoadBalancerNodePorts'] === false) return next;
    const taken = new Set(others.flatMap((other) => nodePorts(other)));
    for (const port of nodePorts(object)) taken.add(port);
    return editItems(next, 'ports', (port) =>
      number(port['nodePort']) > 0 ? port : { ...port, nodePort: freePort(taken) },
    );
  });
}

/** What an update leaves out of the addresses stays; another type gives them up or asks for new ones. */
function carriedOver(next: KubeObject, old: KubeObject, context: RuleContext): KubeObject {
  const before = isObject(old['spec']) ? old['spec'] : {};
  const kept = editSpec(next, (spec) => {
    if (isExternalName(spec) || isExternalName(before)) return spec;
    const given = withDefaults(spec, { ipFamilies: before['ipFamilies'], ipFamilyPolicy: before['ipFamilyPolicy'] });
    const withAddress =
      textOf(given['clusterIP']) === undefined && !isList(given['clusterIPs'])
        ? { ...given, clusterIP: before['clusterIP'], clusterIPs: before['clusterIPs'] }
        : given;
    if (!usesNodePorts(spec)) return withAddress;
    const ports = objectsOf(before['ports']);
    return editItems(withAddress, 'ports', (port) => {
      const same = ports.find((one) => one['port'] === port['port'] && one['protocol'] === port['protocol']);
      return withDefaults(port, { nodePort: same?.['nodePort'] });
    });
  });
  return allocated(kept, context);
}

function serviceCauses(object: KubeObject, old: KubeObject | undefined): readonly Cause[] {
  const spec = isObject(object['spec']) ? object['spec'] : {};
  const causes: Cause[] = [];
  const ports = objectsOf(spec['ports']);
  if (ports.length === 0 && !isExternalName(spec) && spec['clusterIP'] !== NONE) causes.push(required('spec.ports'));
  for (const [index, port] of ports.entries()) {
    const value = port['port'];
    if (typeof value !== 'number' || value < 1 || value > 65_535) {
      causes.push(invalidValue(`spec.ports[${index}].port`, value ?? 0, 'must be between 1 and 65535, inclusive'));
    }
    if (ports.length > 1 && (port['name'] ?? '') === '') causes.push(required(`spec.ports[${index}].name`));
  }
  if (old !== undefined && !isExternalName(spec) && at(old, 'spec', 'type') !== 'ExternalName') {
    const before = at(old, 'spec', 'clusterIP');
    if (before !== undefined && spec['clusterIP'] !== before) {
      causes.push(invalidValue('spec.clusterIPs[0]', [spec['clusterIP'] ?? ''], 'may not change once set'));
    }
  }
  return causes;
}

function nodePorts(service: KubeObject): readonly number[] {
  return objectsOf(at(service, 'spec', 'ports'))
    .map((port) => number(port['nodePort']))
    .filter((port) => port > 0);
}

function freePort(taken: Set<number>): number {
  let port = FIRST_NODE_PORT;
  while (taken.has(port) && port < FIRST_NODE_PORT + NODE_PORTS) port++;
  taken.add(port);
  return port;
}

/** The first address of 10.96.0.0/16 that no service has; the first of all belongs to the API itself. */
function freeAddress(services: readonly KubeObject[]): string {
  const taken = new Set(services.map((service) => at(service, 'spec', 'clusterIP')));
  for (let host = 2; host < 65_535; host++) {
    const address = `10.96.${host >> 8}.${host & 255}`;
    if (!taken.has(address)) return address;
  }
  return NONE;
}

function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export const serviceRules: Partial<Rules> = {
  nameRule: label1035Name,
  returnsDeleted: true,
  createOnUpdate: true,
  prepareCreate: (object, context) => withStatus(allocated(object, context), { loadBalancer: {} }),
  prepareUpdate: carriedOver,
  validate: serviceCauses,
};
