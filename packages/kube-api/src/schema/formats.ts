// The string formats that the API server checks; all others are ignored.
import { isIPv4, isIPv6 } from 'node:net';

type Format = (value: string) => boolean;

const matches =
  (pattern: RegExp): Format =>
  (value) =>
    pattern.test(value);

const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const DATE_TIME = /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/;
const DURATION =
  /^[+-]?(\d+(\.\d*)?|\.\d+)\s*(ns|us|µs|μs|ms|s|m|h|d|w|nano(s|seconds?)?|micro(s|seconds?)?|milli(s|seconds?)?|sec(s|onds?)?|min(s|utes?)?|hours?|hrs?|days?|weeks?)/i;
const CARD =
  /^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35\d{3})\d{11})$/;
const HOST = hostPattern();
const EMAIL = /^("[^"\r\n]+"|[^\s"(),:;<>@[\]\\]+)@[^\s"(),:;<>@[\]\\]+$/;
const uuid = (version: string): Format =>
  matches(new RegExp(`^[0-9a-f]{8}-?[0-9a-f]{4}-?${version}-?[0-9a-f]{4}-?[0-9a-f]{12}$`, 'i'));

const FORMATS: Readonly<Record<string, Format>> = {
  bsonobjectid: matches(/^[0-9a-fA-F]{24}$/),
  uri: (value) => value.startsWith('/') || (/^[a-zA-Z][a-zA-Z0-9+.-]*:\S/.test(value) && URL.canParse(value)),
  email: matches(EMAIL),
  hostname: (value) => value.length <= 255 && HOST.test(value) && value.split('.').every((label) => label.length <= 63),
  ipv4: isIPv4,
  ipv6: isIPv6,
  cidr,
  mac: matches(
    /^([0-9a-fA-F]{2}[:-]){5}([0-9a-fA-F]{2}[:-]){0,2}([0-9a-fA-F]{2})?$|^([0-9a-fA-F]{4}\.){2,3}[0-9a-fA-F]{4}$|^([0-9a-fA-F]{12}|[0-9a-fA-F]{16})$/,
  ),
  uuid: uuid('[0-9a-f]{4}'),
  uuid3: uuid('3[0-9a-f]{3}'),
  uuid4: matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i),
  uuid5: matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i),
  isbn: (value) => isbn10(value) || isbn13(value),
  isbn10,
  isbn13,
  creditcard: (value) => CARD.test(value.replaceAll(/[^0-9]+/g, '')),
  ssn: matches(/^\d{3}[- ]?\d{2}[- ]?\d{4}$/),
  hexcolor: matches(/^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/),
  rgbcolor: matches(
    /^rgb\(\s*(\d|[1-9]\d|1\d\d|2[0-4]\d|25[0-5])\s*(,\s*(\d|[1-9]\d|1\d\d|2[0-4]\d|25[0-5])\s*){2}\)$/,
  ),
  byte: matches(/^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==)$/),
  password: () => true,
  date: isDate,
  duration: matches(DURATION),
  datetime: isDateTime,
  k8sshortname: (value) => value.length <= 63 && new RegExp(`^${LABEL}$`).test(value),
  k8slongname: (value) => value.length <= 253 && new RegExp(`^${LABEL}(\\.${LABEL})*$`).test(value),
};

/** The check of a format; undefined for formats that the server ignores. Dashes in names do not count. */
export function knownFormat(format: string): ((value: string) => boolean) | undefined {
  const name = format.replaceAll('-', '');
  return Object.hasOwn(FORMATS, name) ? FORMATS[name] : undefined;
}

/** The server's own idea of a host name: one label, or labels that end in a top-level domain of letters. */
function hostPattern(): RegExp {
  const char = '[a-zA-Z0-9\\p{S}\\p{L}]';
  const inner = '[a-zA-Z0-9\\-\\p{S}\\p{L}]{0,61}';
  return new RegExp(`^(${char}(-?${char}{0,62})?|((${char}(${inner}${char})?)\\.)+[a-zA-Z\\p{L}]{2,63})$`, 'u');
}

function cidr(value: string): boolean {
  const [address = '', bits = '', ...rest] = value.split('/');
  if (rest.length > 0 || !/^(0|[1-9]\d{0,2})$/.test(bits)) return false;
  if (isIPv4(address)) return Number(bits) <= 32;
  return isIPv6(address) && Number(bits) <= 128;
}

function isDate(value: string): boolean {
  const [, year, month, day] = DATE.exec(value) ?? [];
  if (year === undefined || month === undefined || day === undefined) return false;
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
}

function isDateTime(value: string): boolean {
  const [, date, hour, minute, second] = DATE_TIME.exec(value) ?? [];
  return date !== undefined && isDate(date) && Number(hour) < 24 && Number(minute) < 60 && Number(second) < 61;
}

function isbn10(value: string): boolean {
  const digits = value.replaceAll(/[\s-]/g, '');
  if (!/^\d{9}[\dX]$/.test(digits)) return false;
  const sum = Array.from(digits).reduce(
    (total, digit, index) => total + (digit === 'X' ? 10 : Number(digit)) * (10 - index),
    0,
  );
  return sum % 11 === 0;
}

function isbn13(value: string): boolean {
  const digits = value.replaceAll(/[\s-]/g, '');
  if (!/^97[89]\d{10}$/.test(digits)) return false;
  return (
    Array.from(digits).reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3), 0) % 10 === 0
  );
}
