// The syntax of names, labels, annotations and finalizers.

const LABEL_PART = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const DNS_LABEL = new RegExp(`^${LABEL_PART}$`);
const DNS_LABEL_1035 = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const DNS_SUBDOMAIN = new RegExp(`^${LABEL_PART}(\\.${LABEL_PART})*$`);
const QUALIFIED_NAME = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const LABEL_VALUE = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/;

const SUBDOMAIN_RULE =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an " +
  "alphanumeric character (e.g. 'example.com', regex used for validation is " +
  "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const LABEL_RULE =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric " +
  "character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const LABEL_1035_RULE =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an " +
  "alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
const QUALIFIED_RULE =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character " +
  "(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const VALUE_RULE =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an " +
  "alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is " +
  "'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

/** Says what is wrong with a name; empty if nothing. */
export type NameRule = (name: string) => readonly string[];

/** The rule of most kinds: up to 253 characters, dots allowed. */
export const subdomainName: NameRule = (name) => {
  const faults: string[] = [];
  if (name.length > 253) faults.push('must be no more than 253 bytes');
  if (!DNS_SUBDOMAIN.test(name)) faults.push(SUBDOMAIN_RULE);
  return faults;
};

/** The rule of Namespaces. */
export const labelName: NameRule = (name) => {
  const faults: string[] = [];
  if (name.length > 63) faults.push('must be no more than 63 bytes');
  if (!DNS_LABEL.test(name)) faults.push(LABEL_RULE);
  return faults;
};

/** The rule of Services: a label that starts with a letter. */
export const label1035Name: NameRule = (name) => {
  const faults: string[] = [];
  if (name.length > 63) faults.push('must be no more than 63 bytes');
  if (!DNS_LABEL_1035.test(name)) faults.push(LABEL_1035_RULE);
  return faults;
};

/** The rule of roles and their bindings: whatever fits into one segment of a path. */
export const pathSegmentName: NameRule = (name) => {
  if (name === '.' || name === '..') return [`may not be '${name}'`];
  return ['/', '%'].filter((one) => name.includes(one)).map((one) => `may not contain '${one}'`);
};

/** Faults of a qualified name, the key of a label or annotation and the name of a finalizer: `[prefix/]name`. */
export function qualifiedNameFaults(key: string): readonly string[] {
  const parts = key.split('/');
  if (parts.length > 2) {
    return [
      `a qualified name ${QUALIFIED_RULE.slice('name part '.length)} ` +
        "with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')",
    ];
  }
  const name = parts.at(-1) ?? '';
  const prefix = parts.length === 2 ? parts[0] : undefined;
  const faults: string[] = [];
  if (prefix === '') faults.push('prefix part must be non-empty');
  else if (prefix !== undefined) faults.push(...subdomainName(prefix).map((fault) => `prefix part ${fault}`));
  if (name === '') faults.push('name part must be non-empty');
  else if (name.length > 63) faults.push('name part must be no more than 63 bytes');
  if (!QUALIFIED_NAME.test(name)) faults.push(QUALIFIED_RULE);
  return faults;
}

/** Faults of the value of a label. */
export function labelValueFaults(value: string): readonly string[] {
  const faults: string[] = [];
  if (value.length > 63) faults.push('must be no more than 63 bytes');
  if (!LABEL_VALUE.test(value)) faults.push(VALUE_RULE);
  return faults;
}

export function isLabelKey(key: string): boolean {
  return qualifiedNameFaults(key).length === 0;
}

export function isLabelValue(value: string): boolean {
  return value.length <= 63 && LABEL_VALUE.test(value);
}

/** True for a DNS subdomain such as an API group. */
export function isSubdomain(text: string): boolean {
  return text.length <= 253 && DNS_SUBDOMAIN.test(text);
}

/** True for a DNS label that starts with a letter. */
export function isLabel1035(text: string): boolean {
  return text.length <= 63 && DNS_LABEL_1035.test(text);
}
