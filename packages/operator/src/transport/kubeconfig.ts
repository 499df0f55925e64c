// Credentials of a kubeconfig. Parsing it and the many ways to log in are client-node's, which is loaded only here.
import { dirname } from 'node:path';
import type { KubeConfig } from '@kubernetes/client-node';
import { asError } from '../waiting.ts';
import type { Credentials, Identity } from './credentials.ts';
import { chooseContext } from './kubeconfig-context.ts';
import { readText, type ReadText, textOf } from './files.ts';

export interface KubeconfigOptions {
  /** Files; what stands in an earlier one wins. */
  readonly paths: readonly string[];
  /** Default: the file's current context. */
  readonly context?: string | undefined;
  readonly read?: ReadText | undefined;
}

/** What client-node fills in; a part of the options of Node's HTTPS requests. */
interface FilledOptions {
  readonly headers: Record<string, unknown>;
  auth?: string;
  ca?: string | Buffer;
  cert?: string | Buffer;
  key?: string | Buffer;
  passphrase?: string;
  servername?: string;
  rejectUnauthorized?: boolean;
}

/**
 * Credentials from kubeconfig files.
 *
 * @throws with the file, the field and what there is to choose from, if the files do not say where to go and as whom
 */
export async function kubeconfig({ paths, context, read = readText }: KubeconfigOptions): Promise<Credentials> {
  const where = `kubeconfig ${paths.join(', ')}`;
  const load = async (): Promise<KubeConfig> => {
    const config = await parse(paths, read);
    chooseContext(config, context, where);
    return config;
  };
  let config = await load();
  const cluster = config.getCurrentCluster();
  return Object.freeze({
    server: cluster?.server ?? '',
    proxy: cluster?.proxyUrl,
    namespace: config.getContextObject(config.currentContext)?.namespace,
    identity: async (refresh: boolean) => {
      if (refresh) config = await load();
      return identityOf(config, where);
    },
  });
}

async function parse(paths: readonly string[], read: ReadText): Promise<KubeConfig> {
  const { KubeConfig: Config } = await import('@kubernetes/client-node');
  const merged = new Config();
  for (const { path, text } of await textsOf(paths, read)) {
    const config = new Config();
    try {
      config.loadFromString(text);
      config.makePathsAbsolute(dirname(path));
    } catch (error) {
      const [firstLine = ''] = asError(error).message.split('\n');
      throw new Error(`kubeconfig ${path}: ${firstLine}`, { cause: error });
    }
    takeOver(merged, config);
  }
  return merged;
}

/** As with kubectl, of several files some may be missing, but not all. */
async function textsOf(paths: readonly string[], read: ReadText) {
  const results = await Promise.allSettled(
    paths.map(async (path) => ({ path, text: await textOf('kubeconfig', path, read) })),
  );
  const isMissing = ({ cause }: Error): boolean => (cause as NodeJS.ErrnoException | undefined)?.code === 'ENOENT';
  const failures = results.flatMap((result) => (result.status === 'rejected' ? [asError(result.reason)] : []));
  const fatal = failures.length === paths.length ? failures[0] : failures.find((error) => !isMissing(error));
  if (fatal !== undefined) throw fatal;
  return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
}

/** Adds what an earlier file has not said. */
function takeOver(merged: KubeConfig, { clusters, users, contexts, currentContext }: KubeConfig): void {
  const add = <T extends { readonly name: string }>(known: readonly T[], found: readonly T[]): T[] => [
    ...known,
    ...found.filter(({ name }) => known.every((other) => other.name !== name)),
  ];
  merged.loadFromOptions({
    clusters: add(merged.clusters, clusters),
    users: add(merged.users, users),
    contexts: add(merged.contexts, contexts),
    currentContext: merged.currentContext || currentContext,
  });
}

async function identityOf(config: KubeConfig, where: string): Promise<Identity> {
  const filled: FilledOptions = { headers: {} };
  try {
    await config.applyToHTTPSOptions(filled as Parameters<KubeConfig['applyToHTTPSOptions']>[0]);
  } catch (error) {
    const user = config.getCurrentUser()?.name ?? '';
    throw new Error(`${where}: no credentials for user "${user}": ${asError(error).message.trim()}`, { cause: error });
  }
  const { headers, auth, ca, cert, key, passphrase, servername, rejectUnauthorized } = filled;
  const basic = auth === undefined ? {} : { authorization: `Basic ${Buffer.from(auth).toString('base64')}` };
  const tls = {
    ca: textOrNothing(ca),
    cert: textOrNothing(cert),
    key: textOrNothing(key),
    passphrase,
    servername,
    rejectUnauthorized,
  };
  return {
    headers: {
      ...basic,
      ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value).trim()])),
    },
    tls: Object.fromEntries(Object.entries(tls).filter(([, value]) => value !== undefined)),
  };
}

function textOrNothing(value: string | Buffer | undefined): string | undefined {
  return typeof value === 'string' ? value : value?.toString('utf8');
}
