// Resource quantities: `1500m`, `2Gi`, `1e3`, and the form in which the API server writes them.

const QUANTITY = /^([+-]?)(\d*)(?:\.(\d*))?(m|n|u|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei|[eE][+-]?\d+)?$/;
/** Up to three digits and a usual suffix are canonical as they stand. */
const CANONICAL = /^[1-9]\d{0,2}(m|k|M|G|Ki|Mi|Gi)?$/;
const DECIMAL: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, '': 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };
const BINARY: Readonly<Record<string, number>> = { Ki: 1, Mi: 2, Gi: 3, Ti: 4, Pi: 5, Ei: 6 };
const DECIMAL_SUFFIX = new Map(Object.entries(DECIMAL).map(([suffix, exponent]) => [exponent, suffix]));
const BINARY_SUFFIX = ['', ...Object.keys(BINARY)];
const NANO = 9;

/** The sentence of the error about a text that is no quantity. */
export const QUANTITY_FAULT =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

interface Parsed {
  /** In units of 10^-9, rounded away from zero. */
  readonly nanos: bigint;
  readonly format: 'binary' | 'decimal' | 'exponent';
}

/** The canonical text of a quantity, such as `1` for `1000m`; undefined if it is none. */
export function canonicalQuantity(text: string): string | undefined {
  if (CANONICAL.test(text)) return text;
  const parsed = parse(text);
  return parsed === undefined ? undefined : format(parsed);
}

/** Compares two quantities: negative, zero or positive. Texts that are no quantities count as zero. */
export function compareQuantities(a: string, b: string): number {
  const difference = (parse(a)?.nanos ?? 0n) - (parse(b)?.nanos ?? 0n);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** The value of a quantity as a number; NaN for a text that is none. */
export function quantityValue(text: string): number {
  const parsed = parse(text);
  return parsed === undefined ? Number.NaN : Number(parsed.nanos) / 1e9;
}

function parse(text: string): Parsed | undefined {
  const match = QUANTITY.exec(text);
  if (match === null) return undefined;
  const [, sign = '', whole = '', fraction = '', suffix = ''] = match;
  if (whole === '' && fraction === '') return undefined;
  const digits = BigInt(whole + fraction);
  const binary = BINARY[suffix];
  const exponential = binary === undefined && /^[eE]/.test(suffix) && suffix.length > 1;
  const exponent = binary === undefined ? (exponential ? Number(suffix.slice(1)) : (DECIMAL[suffix] ?? 0)) : 0;
  const scaled = binary === undefined ? digits : digits * 1024n ** BigInt(binary);
  const magnitude = shift(scaled, exponent - fraction.length + NANO);
  const nanos = sign === '-' ? -magnitude : magnitude;
  return { nanos, format: binary !== undefined ? 'binary' : exponential ? 'exponent' : 'decimal' };
}

/** `value` times ten to the power of `places`, rounded up. */
function shift(value: bigint, places: number): bigint {
  if (places >= 0) return value * 10n ** BigInt(Math.min(places, 60));
  const divisor = 10n ** BigInt(Math.min(-places, 60));
  return (value + divisor - 1n) / divisor;
}

function format({ nanos, format: kind }: Parsed): string {
  if (nanos === 0n) return '0';
  const sign = nanos < 0n ? '-' : '';
  const magnitude = nanos < 0n ? -nanos : nanos;
  const unit = 10n ** BigInt(NANO);
  if (kind === 'binary' && magnitude >= 1024n * unit) {
    let value = (magnitude + unit - 1n) / unit;
    let power = 0;
    while (value % 1024n === 0n && power < BINARY_SUFFIX.length - 1) {
      value /= 1024n;
      power++;
    }
    return `${sign}${value}${BINARY_SUFFIX[power] ?? ''}`;
  }
  let mantissa = magnitude;
  let exponent = -NANO;
  while (mantissa % 1000n === 0n && exponent < 18) {
    mantissa /= 1000n;
    exponent += 3;
  }
  if (kind === 'exponent') return `${sign}${mantissa}${exponent === 0 ? '' : `e${exponent}`}`;
  return `${sign}${mantissa}${DECIMAL_SUFFIX.get(exponent) ?? ''}`;
}
