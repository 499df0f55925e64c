// A kubeconfig for a server without authentication.

/** Without the flag some clients refuse to speak plain HTTP. */
interface ClusterEntry {
  readonly server: string;
  readonly 'insecure-skip-tls-verify': true;
}

/** The content of a kubeconfig file; as JSON it is valid YAML, which kubectl reads. */
export interface Kubeconfig {
  readonly apiVersion: 'v1';
  readonly kind: 'Config';
  readonly clusters: readonly { readonly name: string; readonly cluster: ClusterEntry }[];
  readonly users: readonly { readonly name: string; readonly user: Readonly<Record<string, string>> }[];
  readonly contexts: readonly {
    readonly name: string;
    readonly context: { readonly cluster: string; readonly user: string; readonly namespace: string };
  }[];
  readonly 'current-context': string;
}

/** The kubeconfig that points at `url`. */
export function kubeconfigFor(url: string): Kubeconfig {
  const name = 'kube-api';
  return {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name, cluster: { server: url, 'insecure-skip-tls-verify': true } }],
    users: [{ name, user: {} }],
    contexts: [{ name, context: { cluster: name, user: name, namespace: 'default' } }],
    'current-context': name,
  };
}
