// Conversion webhooks: objects of a custom resource between its versions.
import { internal } from '../errors.ts';
import { at, freezeJson, isList, isObject, type Json, type JsonObject, type KubeObject, textOf, without } from '../json.ts';
import type { ClientConfig, Reply } from './message.ts';
import type { Outside } from './outside.ts';
import { Unanswered } from './unanswered.ts';

const TIMEOUT_SECONDS = 30;
/** Objects that are on their way into the store are remembered by content, so many at a time. */
const MAX_REMEMBERED = 1_000;

/** Converts by webhook and remembers what it was told. */
export class Converter {
  readonly #client: ClientConfig;
  /** By apiVersion, for objects of the store and what they were converted to. */
  readonly #byObject = new WeakMap<KubeObject, Map<string, KubeObject>>();
  readonly #byContent = new Map<string, KubeObject>();

  constructor(client: ClientConfig) {
    this.#client = client;
  }

  /**
   * The object in another version.
   *
   * @throws Unanswered if the webhook has to be asked.
   */
  convert(object: KubeObject, apiVersion: string): KubeObject {
    if (object.apiVersion === apiVersion) return object;
    const known = this.#byObject.get(object)?.get(apiVersion);
    if (known !== undefined) return known;
    const key = contentKey(object, apiVersion);
    const content = this.#byContent.get(key);
    if (content !== undefined) return this.#keep(object, content, apiVersion);
    throw new Unanswered([
      {
        key,
        ask: async (outside, more) => {
          const others = more.filter((other) => this.#isOpen(other, object, apiVersion));
          await this.#ask(outside, [object, ...others], apiVersion);
        },
      },
    ]);
  }

  /**
   * Asks the webhook about an object, whatever it said before.
   *
   * @throws StatusError 500 if it fails
   */
  async refresh(object: KubeObject, apiVersion: string, outside: Outside): Promise<void> {
    if (object.apiVersion !== apiVersion) await this.#ask(outside, [object], apiVersion);
  }

  #isOpen(other: KubeObject, object: KubeObject, apiVersion: string): boolean {
    return (
      other !== object &&
      other.apiVersion === object.apiVersion &&
      this.#byObject.get(other)?.get(apiVersion) === undefined
    );
  }

  async #ask(outside: Outside, objects: readonly KubeObject[], apiVersion: string): Promise<void> {
    const uid = outside.uuid();
    const request = { uid, desiredAPIVersion: apiVersion, objects };
    const review = { kind: 'ConversionReview', apiVersion: 'apiextensions.k8s.io/v1', request };
    const reply = await outside.post(this.#client, review, TIMEOUT_SECONDS);
    const converted = convertedObjects(reply, uid, objects, apiVersion);
    for (const [index, object] of objects.entries()) {
      const made = converted[index];
      if (made === undefined) continue;
      this.#remember(contentKey(object, apiVersion), made);
      this.#keep(object, made, apiVersion);
    }
  }

  #remember(key: string, object: KubeObject): void {
    this.#byContent.set(key, object);
    if (this.#byContent.size <= MAX_REMEMBERED) return;
    for (const oldest of this.#byContent.keys()) {
      this.#byContent.delete(oldest);
      break;
    }
  }

  /** The resourceVersion is not the webhook's business: it is that of the object, whatever was asked. */
  #keep(object: KubeObject, content: KubeObject, apiVersion: string): KubeObject {
    const { resourceVersion } = object.metadata;
    const rest = without(content.metadata, 'resourceVersion');
    const metadata = resourceVersion === undefined ? rest : { ...rest, resourceVersion };
    const made: KubeObject = freezeJson({ ...content, metadata });
    let versions = this.#byObject.get(object);
    if (versions === undefined) this.#byObject.set(object, (versions = new Map<string, KubeObject>()));
    versions.set(apiVersion, made);
    return made;
  }
}

function contentKey(object: KubeObject, apiVersion: string): string {
  return `${apiVersion} ${JSON.stringify({ ...object, metadata: without(object.metadata, 'resourceVersion') })}`;
}

/** @throws StatusError 500 in the words of the real server. */
function convertedObjects(
  reply: Reply,
  uid: string,
  objects: readonly KubeObject[],
  apiVersion: string,
): readonly KubeObject[] {
  const [first] = objects;
  const webhook = `conversion webhook for ${first?.apiVersion ?? ''}, Kind=${first?.kind ?? ''}`;
  if ('fault' in reply) throw internal(`${webhook} failed: ${reply.fault}`);
  const response = responseOf(webhook, reply.body, uid);
  const list = response['convertedObjects'];
  const converted = isList(list) ? list : [];
  if (converted.length !== objects.length) {
    throw internal(`${webhook} returned ${converted.length} objects, expected ${objects.length}`);
  }
  return objects.map((object, index) => checked(webhook, object, converted[index], index, apiVersion));
}

function responseOf(webhook: string, body: Json, uid: string): JsonObject {
  const kind = textOf(at(body, 'kind'));
  const [group, version] = groupVersion(textOf(at(body, 'apiVersion')));
  if (kind !== 'ConversionReview' || group !== 'apiextensions.k8s.io' || version !== 'v1') {
    const expected = 'apiextensions.k8s.io/v1, Kind=ConversionReview';
    throw internal(
      `${webhook} failed: expected webhook response of ${expected}, got ${group}/${version}, Kind=${kind}`,
    );
  }
  const response = at(body, 'response');
  if (!isObject(response)) throw internal(`${webhook} failed: no response provided`);
  if (response['uid'] !== uid) {
    const found = JSON.stringify(textOf(response['uid']));
    throw internal(`${webhook} failed: expected response.uid=${JSON.stringify(uid)}, got ${found}`);
  }
  const status = textOf(at(response, 'result', 'status'));
  if (status === 'Success') return response;
  const message = textOf(at(response, 'result', 'message'));
  throw internal(
    `${webhook} failed: ${message === '' ? `response.result.status was '${status}', not 'Success'` : message}`,
  );
}

function groupVersion(apiVersion: string): readonly [string, string] {
  const slash = apiVersion.indexOf('/');
  return slash === -1 ? ['', apiVersion] : [apiVersion.slice(0, slash), apiVersion.slice(slash + 1)];
}

const IDENTITY = ['name', 'namespace', 'uid'] as const;

/** A converted object. Of metadata only labels and annotations may differ; the rest is put back. */
function checked(
  webhook: string,
  object: KubeObject,
  converted: Json | undefined,
  index: number,
  apiVersion: string,
): KubeObject {
  const invalid = `${webhook} returned invalid object at index ${index}`;
  if (!isObject(converted)) throw internal(`${invalid}: it is not an object`);
  const found = textOf(converted['apiVersion']);
  if (found !== apiVersion)
    throw internal(`${invalid}: invalid groupVersion (expected ${apiVersion}, received ${found})`);
  const kind = textOf(converted['kind']);
  if (kind !== object.kind) throw internal(`${invalid}: invalid kind (expected ${object.kind}, received ${kind})`);
  const given = converted['metadata'];
  if (!isObject(given)) throw internal(`${webhook} returned invalid object: missing metadata in converted object`);
  for (const field of IDENTITY) {
    const [wanted, other] = [object.metadata[field] ?? '', textOf(given[field])];
    if (wanted !== other) {
      throw internal(`${webhook} returned invalid object: must have the same ${field}: ${wanted} != ${other}`);
    }
  }
  const { labels: _labels, annotations: _annotations, ...kept } = object.metadata;
  const metadata: Record<string, Json | undefined> = { ...kept };
  for (const field of ['labels', 'annotations']) if (given[field] !== undefined) metadata[field] = given[field];
  return { ...converted, apiVersion, kind: object.kind, metadata };
}
