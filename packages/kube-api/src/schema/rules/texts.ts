// The syntax of texts inside of built-in kinds: keys, port names, percentages, addresses.
import { isIP } from 'node:net';
import type { NameRule } from '../../server/names.ts';
import { knownFormat } from '../formats.ts';
import type { Json } from '../../json.ts';
import { NOT_NEGATIVE } from './faults.ts';
import type { Faults } from './faults.ts';

/** A key of a ConfigMap or Secret. */
export const configKey: NameRule = (key) => {
  const faults: string[] = [];
  if (key.length > 253) faults.push('must be no more than 253 bytes');
  if (!/^[-._a-zA-Z0-9]+$/.test(key)) {
    faults.push(
      "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
    );
  }
  if (key === '.') faults.push("must not be '.'");
  else if (key === '..') faults.push("must not be '..'");
  else if (key.startsWith('..')) faults.push("must not start with '..'");
  return faults;
};

/** The name of a port of a container. */
export const portName: NameRule = (name) => {
  const faults: string[] = [];
  if (name.length > 15) faults.push('must be no more than 15 characters');
  if (!/^[-a-z0-9]+$/.test(name)) faults.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)');
  if (!/[a-z]/.test(name)) faults.push('must contain at least one letter (a-z)');
  if (name.includes('--')) faults.push('must not contain consecutive hyphens');
  if (name.startsWith('-') || name.endsWith('-')) faults.push('must not begin or end with a hyphen');
  return faults;
};

/** The name of an environment variable. */
export const variableName: NameRule = (name) =>
  /^[ -<>-~]+$/.test(name)
    ? []
    : ["a valid environment variable name must consist only of printable ASCII characters other than '='"];

export const ADDRESS_FAULT = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';

/** An IP address. */
export const ipAddress: NameRule = (text) => (isIP(text) === 0 ? [ADDRESS_FAULT] : []);

/** A range of IP addresses. */
export const addressRange: NameRule = (text) =>
  knownFormat('cidr')?.(text) === true ? [] : ['must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)'];

/** A number, or a percentage. */
export function checkIntOrPercent(path: string, value: Json | undefined, faults: Faults): void {
  if (typeof value === 'number' && value < 0) faults.invalid(path, value, NOT_NEGATIVE);
  if (typeof value === 'string' && !/^[0-9]+%$/.test(value)) {
    faults.invalid(
      path,
      value,
      "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')",
    );
  }
}

/** At most 100 %. */
export function checkAtMostAll(path: string, value: Json | undefined, faults: Faults): void {
  if (typeof value === 'string' && Number(/^([0-9]+)%$/.exec(value)?.[1] ?? 0) > 100) {
    faults.invalid(path, value, 'must not be greater than 100%');
  }
}

/** True for 0 and `0%`. */
export function isNone(value: Json | undefined): boolean {
  return value === 0 || value === '0%';
}

/** A port by number or by name. */
export function checkPortReference(path: string, value: Json | undefined, faults: Faults): void {
  if (typeof value === 'string') faults.text(path, value, portName);
  else faults.port(path, value);
}

/** A relative path inside of a volume. */
export function checkRelativePath(path: string, value: string, faults: Faults): void {
  if (value === '') faults.required(path);
  else if (value.startsWith('/')) faults.invalid(path, value, 'must be a relative path');
  if (value.split('/').includes('..')) faults.invalid(path, value, "must not contain '..'");
}
