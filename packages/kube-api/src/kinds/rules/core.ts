// Namespace, ConfigMap, Secret, ServiceAccount, Node: the rules of the core kinds that hold no pods.
import { forbiddenField, invalidValue, required } from '../../causes.ts';
import type { Cause } from '../../errors.ts';
import { at, equalJson, isList, without, type KubeObject } from '../../json.ts';
import { labelName } from '../../server/names.ts';
import { text } from '../columns/cells.ts';
import type { Rules } from '../resource-type.ts';
import { objectOf, withStatus } from './edit.ts';

const IMMORTAL = new Set(['default', 'kube-system', 'kube-public']);
const NAMESPACE_LABEL = 'kubernetes.io/metadata.name';

export const namespaceRules: Partial<Rules> = {
  nameRule: labelName,
  prepareCreate: (object) => {
    const named = withNameLabel(object);
    const given = objectOf(named['spec'])['finalizers'];
    const finalizers =
      isList(given) && given.includes('kubernetes') ? given : [...(isList(given) ? given : []), 'kubernetes'];
    return withStatus({ ...named, spec: { ...objectOf(named['spec']), finalizers } }, { phase: 'Active' });
  },
  // Finalizers in the spec change through /finalize only.
  prepareUpdate: (next, old) => ({
    ...next,
    spec: { ...objectOf(next['spec']), finalizers: at(old, 'spec', 'finalizers') },
  }),
  refusesDelete: (object) =>
    IMMORTAL.has(object.metadata.name ?? '') ? 'this namespace may not be deleted' : undefined,
  onTerminating: (object) => {
    const metadata = without(object.metadata, 'deletionGracePeriodSeconds');
    return withStatus({ ...object, metadata }, { ...objectOf(object['status']), phase: 'Terminating' });
  },
  holdsDeletion: (object) => {
    const finalizers = at(object, 'spec', 'finalizers');
    return isList(finalizers) && finalizers.length > 0;
  },
};

// A generated name is not known yet when the label is set.
function withNameLabel(object: KubeObject): KubeObject {
  const { name, labels } = object.metadata;
  if (name === undefined || labels?.[NAMESPACE_LABEL] === name) return object;
  return { ...object, metadata: { ...object.metadata, labels: { ...labels, [NAMESPACE_LABEL]: name } } };
}

const KEY = /^[-._a-zA-Z0-9]+$/;
const KEY_RULE =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' " +
  "(e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', " +
  "regex used for validation is '[-._a-zA-Z0-9]+')";
const MAX_DATA_BYTES = 1024 * 1024;

function dataCauses(object: KubeObject, fields: readonly string[]): readonly Cause[] {
  const causes: Cause[] = [];
  let size = 0;
  for (const field of fields) {
    const data = objectOf(object[field]);
    for (const key in data) {
      if (!KEY.test(key)) causes.push(invalidValue(`${field}[${key}]`, key, KEY_RULE));
      size += Buffer.byteLength(text(data[key], ''), field === 'data' && fields.length > 1 ? 'utf8' : 'base64');
    }
  }
  if (size > MAX_DATA_BYTES)
    causes.push({
      reason: 'FieldValueTooLong',
      message: `Too long: may not be more than ${MAX_DATA_BYTES} bytes`,
      field: '',
    });
  return causes;
}

/** What `immutable: true` protects. */
function immutableCauses(next: KubeObject, old: KubeObject | undefined, fields: readonly string[]): readonly Cause[] {
  if (old?.['immutable'] !== true) return [];
  const causes: Cause[] = [];
  const why = 'field is immutable when `immutable` is set';
  if (next['immutable'] !== true) causes.push(forbiddenField('immutable', why));
  for (const field of fields)
    if (!equalJson(next[field] ?? {}, old[field] ?? {})) causes.push(forbiddenField(field, why));
  return causes;
}

export const configMapRules: Partial<Rules> = {
  validate: (object, old) => [
    ...dataCauses(object, ['data', 'binaryData']),
    ...immutableCauses(object, old, ['data', 'binaryData']),
  ],
};

export const secretRules: Partial<Rules> = {
  validate: (object, old) => {
    const causes = [
      ...dataCauses(object, ['data']),
      ...typedSecretCauses(object),
      ...immutableCauses(object, old, ['data']),
    ];
    if (old !== undefined && object['type'] !== old['type'])
      causes.push(invalidValue('type', object['type'], 'field is immutable'));
    return causes;
  },
};

/** Keys that a secret of some type must have. */
const REQUIRED_KEYS: Readonly<Record<string, readonly string[]>> = {
  'kubernetes.io/tls': ['tls.crt', 'tls.key'],
  'kubernetes.io/dockerconfigjson': ['.dockerconfigjson'],
  'kubernetes.io/dockercfg': ['.dockercfg'],
  'kubernetes.io/ssh-auth': ['ssh-privatekey'],
};

function typedSecretCauses(object: KubeObject): readonly Cause[] {
  const data = objectOf(object['data']);
  const keys = REQUIRED_KEYS[text(object['type'], '')] ?? [];
  return keys.filter((key) => data[key] === undefined).map((key) => required(`data[${key}]`));
}

export const serviceAccountRules: Partial<Rules> = { returnsDeleted: true };
