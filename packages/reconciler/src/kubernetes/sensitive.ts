// A value that must not be shown. Wherever it is printed there is a fingerprint instead: equal for equal values.
import { shortHash } from '../versions/digest.ts';
import type { KubernetesObject } from './model.ts';
import type { ResourceType } from './resource.ts';

/** By this symbol a value of any copy of this class is known. */
const BRAND = Symbol.for('@pawl/sensitive');
/** What Node asks a value for before it prints it. */
const INSPECT = Symbol.for('nodejs.util.inspect.custom');

/** Wraps a secret text. Only {@link Sensitive.reveal} gives it back; text, JSON, templates and inspection show a fingerprint. */
export class Sensitive {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
    Object.defineProperty(this, BRAND, { value: true });
    Object.defineProperty(this, INSPECT, { value: () => this.fingerprint });
  }

  /** A text as the data of a Secret holds it: UTF-8 in base64. */
  static ofText(text: string): Sensitive {
    return new Sensitive(btoa(String.fromCharCode(...new TextEncoder().encode(text))));
  }

  /** The secret itself, for the one place that needs it: of the data of a Secret, base64. */
  reveal(): string {
    return this.#value;
  }

  /** The text of a value that holds UTF-8 in base64. */
  revealText(): string {
    return new TextDecoder().decode(Uint8Array.from(atob(this.#value), (char) => char.charCodeAt(0)));
  }

  /** Short, and the same for equal values; nobody can work the value out of it unless it is easy to guess. */
  get fingerprint(): string {
    return `sensitive:${shortHash(this.#value, 12)}`;
  }

  toString(): string {
    return this.fingerprint;
  }

  toJSON(): string {
    return this.fingerprint;
  }
}

/** Whether something is a sensitive value, of this copy of the class or of another. */
export function isSensitive(value: unknown): value is Sensitive {
  return typeof value === 'object' && value !== null && (value as Readonly<Record<symbol, unknown>>)[BRAND] === true;
}

type Values = Readonly<Record<string, unknown>>;
const isSecret = ({ apiVersion, kind }: ResourceType): boolean => apiVersion === 'v1' && kind === 'Secret';

function mapped(object: Values, change: (value: unknown) => unknown): Values {
  const { data } = object;
  if (typeof data !== 'object' || data === null) return object;
  return { ...object, data: Object.fromEntries(Object.entries(data).map(([key, value]) => [key, change(value)])) };
}

/** An object as an Action gets it: the values of a Secret are sensitive. Other kinds are handed out as they are. */
export function concealed<T extends KubernetesObject | undefined>(type: ResourceType, object: T): T {
  if (object === undefined || !isSecret(type)) return object;
  return mapped(object as unknown as Values, (value) =>
    typeof value === 'string' ? new Sensitive(value) : value,
  ) as unknown as T;
}

/** What is desired, as it is sent: the values of a Secret revealed. */
export function revealed<T extends object>(type: ResourceType, desired: T): T {
  if (!isSecret(type)) return desired;
  return mapped(desired as unknown as Values, (value) => (isSensitive(value) ? value.reveal() : value)) as unknown as T;
}

/** Where a sensitive value stands in something, such as `spec.token`; undefined if there is none. */
export function sensitivePath(value: unknown): string | undefined {
  return holdsSensitive(value) ? pathIn(value, '') : undefined;
}

/** Asked of all that is applied, hence without texts and lists on the way. */
function holdsSensitive(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (isSensitive(value)) return true;
  for (const name in value) if (holdsSensitive((value as Values)[name])) return true;
  return false;
}

function pathIn(value: unknown, path: string): string | undefined {
  if (isSensitive(value)) return path;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, field] of Object.entries(value)) {
    const found = pathIn(field, path === '' ? name : `${path}.${name}`);
    if (found !== undefined) return found;
  }
  return undefined;
}
