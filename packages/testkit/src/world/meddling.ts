// Somebody meddles with an object: deletes it, changes what the package applies, or takes its finalizers away.
import type { ApiServer } from '@pawl/kube-api';
import type { KubernetesObject } from '@pawl/reconciler/kubernetes';
import type { PersonFault } from './faults.ts';

type Fields = Readonly<Record<string, unknown>>;
interface ManagedEntry {
  readonly operation?: string;
  readonly fieldsV1?: Fields;
}

const SOMEBODY = 'somebody';
const MERGE_PATCH = 'application/merge-patch+json';
const APPLY = 'application/apply-patch+yaml';

/** Carries out what somebody does; answers what came of it, for the history. */
export async function meddle(api: Pick<ApiServer, 'request'>, { does, object: path }: PersonFault): Promise<string> {
  const found = await api.request({ method: 'GET', path });
  if (found.status !== 200) return 'it is not there';
  const send = async (method: 'PATCH' | 'DELETE', body?: object, type = MERGE_PATCH, query = ''): Promise<boolean> => {
    const headers = { 'user-agent': SOMEBODY, 'content-type': type };
    const { status } = await api.request({ method, path: `${path}${query}`, headers, ...(body === undefined ? {} : { body }) });
    return status < 300;
  };
  if (does === 'deletes') return (await send('DELETE')) ? 'it is deleted' : 'it cannot be deleted';
  if (does === 'unfinalizes') return (await send('PATCH', { metadata: { finalizers: null } })) ? 'the finalizers are gone' : 'they cannot be taken away';
  const object = found.body as KubernetesObject;
  for (const change of changesOf(object)) {
    const isDone =
      does === 'edits'
        ? await send('PATCH', change)
        : await send('PATCH', applied(object, change), APPLY, `?fieldManager=${SOMEBODY}&force=true`);
    if (isDone) return JSON.stringify(change);
  }
  return 'no field of it can be changed';
}

function applied({ apiVersion, kind, metadata: { name, namespace } }: KubernetesObject, change: Fields): object {
  const metadata = { name, ...(namespace === undefined ? {} : { namespace }), ...(change['metadata'] as object | undefined) };
  return { ...change, apiVersion, kind, metadata };
}

/**
 * Patches that each change one field which is applied, to a value that may do: content first. Fields within lists are
 * left out, and what the framework marks objects with.
 */
export function changesOf(object: KubernetesObject): readonly Fields[] {
  const { managedFields = [] } = object.metadata as { readonly managedFields?: readonly ManagedEntry[] };
  const paths = managedFields.filter(({ operation }) => operation === 'Apply').flatMap(({ fieldsV1 = {} }) => leavesOf(fieldsV1, []));
  const isContent = ([first]: readonly string[]): boolean => first !== 'metadata';
  const usable = [...paths.filter(isContent), ...paths.filter((path) => !isContent(path) && isAuthors(path))];
  return usable.flatMap((path) => {
    const value = changed(path.reduce<unknown>((at, name) => (at as Fields | undefined)?.[name], object), object.kind);
    return value === undefined ? [] : [path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as Fields];
  });
}

function leavesOf(fields: Fields, path: readonly string[]): readonly (readonly string[])[] {
  return Object.entries(fields).flatMap(([key, below]) => {
    if (!key.startsWith('f:')) return [];
    const here = [...path, key.slice(2)];
    return Object.keys(below as Fields).length === 0 ? [here] : leavesOf(below as Fields, here);
  });
}

const isAuthors = ([, part, name = '']: readonly string[]): boolean => (part === 'labels' || part === 'annotations') && !name.includes('pawl.dev');

function changed(value: unknown, kind: string): unknown {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  if (typeof value !== 'string') return undefined;
  return kind === 'Secret' ? Buffer.from('edited').toString('base64') : `${value}-edited`;
}
