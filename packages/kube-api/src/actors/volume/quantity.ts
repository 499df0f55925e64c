// Quantities such as `10Gi`, compared by size.

const FACTORS: Readonly<Record<string, number>> = {
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
};

/** The size of a quantity in its base unit; 0 for what is not a quantity. */
export function sizeOf(quantity: string | undefined): number {
  const [, number = '', unit = ''] = /^(\d+(?:\.\d+)?)([A-Za-z]*)$/.exec(quantity ?? '') ?? [];
  return Number(number) * (FACTORS[unit] ?? 0);
}
