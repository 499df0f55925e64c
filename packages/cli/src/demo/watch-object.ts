// Follows one object: a list, then a watch from there, and again when the watch ends.
import type { Transport } from '@pawl/kube-api';
import { pathOf, type Kind, type ObjectName } from './api-client.ts';
import type { Json } from './differences.ts';

/** Called with every state of the object, and with nothing when it does not exist. */
export type ObjectListener = (object: Json | undefined) => void;

/**
 * Calls back until the signal is aborted. The first call tells what is there now.
 * @throws when the server answers a list with anything but success
 */
export async function watchObject(
  transport: Transport,
  kind: Kind,
  { name, namespace }: ObjectName,
  listener: ObjectListener,
  signal: AbortSignal,
): Promise<void> {
  const path = `${pathOf(kind, { name: '', namespace })}?fieldSelector=${encodeURIComponent(`metadata.name=${name}`)}`;
  while (!signal.aborted) {
    const { status, body } = await transport.request({ method: 'GET', path, signal });
    if (status !== 200) throw new Error(`listing ${kind.plural} was answered with ${status}`);
    const { items, metadata } = body as {
      readonly items: readonly Json[];
      readonly metadata: { readonly resourceVersion: string };
    };
    listener(items[0]);
    const from = `&watch=true&resourceVersion=${metadata.resourceVersion}`;
    const { status: watched, events } = await transport.watch({ method: 'GET', path: `${path}${from}`, signal });
    if (watched !== 200) continue;
    for await (const { type, object } of events) {
      if (signal.aborted || type === 'ERROR') break;
      if (type !== 'BOOKMARK') listener(type === 'DELETED' ? undefined : (object as Json));
    }
  }
}
