// The path of a request without what differs from object to object: so few values that requests can be counted by it. Pure.

/** Parts of a Namespace; anything else below its name is a collection within it. */
const PARTS_OF_NAMESPACES: ReadonlySet<string> = new Set(['status', 'finalize']);

/**
 * `/apis/apps/v1/namespaces/{namespace}/deployments/{name}` for a Deployment. Parameters are left out.
 *
 * @param path of a request to the API server, with or without parameters
 */
export function urlTemplate(path: string): string {
  const [bare = ''] = path.split('?');
  const segments = bare.split('/').filter((segment) => segment !== '');
  const [root = ''] = segments;
  const prefix = root === 'api' ? 2 : root === 'apis' ? 3 : 1;
  // Of what is no path to objects only the first part is known to be one of few.
  return `/${[...segments.slice(0, prefix), ...(prefix === 1 ? [] : withoutNames(segments.slice(prefix)))].join('/')}`;
}

function withoutNames([first, second, third, ...rest]: readonly string[]): readonly string[] {
  if (first === undefined) return [];
  if (second === undefined) return [first];
  if (first === 'namespaces' && third !== undefined && !PARTS_OF_NAMESPACES.has(third))
    return [first, '{namespace}', ...withoutNames([third, ...rest])];
  return [first, '{name}', ...(third === undefined ? [] : [third])];
}
