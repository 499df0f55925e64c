// ConfigMaps and Secrets.
import { equalJson } from '../../json.ts';
import type { JsonObject, KubeObject } from '../../json.ts';
import { objectAt, textAt } from './faults.ts';
import type { Faults } from './faults.ts';
import { configKey } from './texts.ts';

const MAX_BYTES = 1_048_576;
const IMMUTABLE = 'field is immutable when `immutable` is set';

/** A ConfigMap. */
export function checkConfigMap(before: KubeObject | undefined, after: KubeObject, faults: Faults): void {
  const [data, binary] = [objectAt(after, 'data'), objectAt(after, 'binaryData')];
  let size = 0;
  for (const [key, value] of Object.entries(data)) {
    faults.text(`data[${key}]`, key, configKey);
    if (binary[key] !== undefined) faults.invalid(`data[${key}]`, key, 'duplicate of key present in binaryData');
    if (typeof value === 'string') size += Buffer.byteLength(value);
  }
  for (const [key, value] of Object.entries(binary)) {
    faults.text(`binaryData[${key}]`, key, configKey);
    if (typeof value === 'string') size += Buffer.byteLength(value, 'base64');
  }
  if (size > MAX_BYTES) tooLong('[]', faults);
  checkFrozen(before, after, ['data', 'binaryData'], faults);
}

function tooLong(field: string, faults: Faults): void {
  faults.causes.push({
    reason: 'FieldValueTooLong',
    message: `Too long: may not be more than ${MAX_BYTES} bytes`,
    field,
  });
}

function checkFrozen(before: KubeObject | undefined, after: KubeObject, keys: readonly string[], faults: Faults): void {
  if (before?.['immutable'] !== true) return;
  if (after['immutable'] !== true) faults.forbidden('immutable', IMMUTABLE);
  for (const key of keys) if (!equalJson(after[key], before[key])) faults.forbidden(key, IMMUTABLE);
}

/** Keys that secrets of a type must have. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  'kubernetes.io/tls': ['tls.crt', 'tls.key'],
  'kubernetes.io/dockerconfigjson': ['.dockerconfigjson'],
  'kubernetes.io/dockercfg': ['.dockercfg'],
  'kubernetes.io/ssh-auth': ['ssh-privatekey'],
};
const JSON_KEYS = new Set(['.dockerconfigjson', '.dockercfg']);
const ACCOUNT = 'kubernetes.io/service-account.name';

/** A Secret. */
export function checkSecret(before: KubeObject | undefined, after: KubeObject, faults: Faults): void {
  const data = objectAt(after, 'data');
  let size = 0;
  for (const [key, value] of Object.entries(data)) {
    faults.text(`data[${key}]`, key, configKey);
    if (typeof value === 'string') size += Buffer.byteLength(value, 'base64');
  }
  if (size > MAX_BYTES) tooLong('data', faults);
  checkSecretType(textAt(after, 'type'), data, after, faults);
  if (before === undefined) return;
  if (after['type'] !== before['type']) faults.invalid('type', after['type'], 'field is immutable');
  checkFrozen(before, after, ['data'], faults);
}

function checkSecretType(type: string, data: JsonObject, secret: KubeObject, faults: Faults): void {
  for (const key of NEEDED[type] ?? []) {
    const value = data[key];
    if (typeof value !== 'string') faults.required(`data[${key}]`);
    else if (JSON_KEYS.has(key)) checkJson(`data[${key}]`, value, faults);
  }
  if (type === 'kubernetes.io/basic-auth' && data['username'] === undefined && data['password'] === undefined) {
    faults.required('data[username]');
    faults.required('data[password]');
  }
  if (type === 'kubernetes.io/service-account-token' && (secret.metadata.annotations?.[ACCOUNT] ?? '') === '') {
    faults.required(`metadata.annotations[${ACCOUNT}]`);
  }
}

function checkJson(path: string, base64: string, faults: Faults): void {
  const text = Buffer.from(base64, 'base64').toString('utf8');
  try {
    JSON.parse(text);
  } catch {
    const found = text.trim().charAt(0);
    const why =
      found === '' ? 'unexpected end of JSON input' : `invalid character '${found}' looking for beginning of value`;
    faults.invalid(path, '<secret contents redacted>', why);
  }
}
