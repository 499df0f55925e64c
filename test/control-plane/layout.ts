// The files and flags of one control plane: keys, tokens, kubeconfig and the command lines of its programs.
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Binaries } from './binaries.ts';

/** What the keeper runs. */
export interface Plan {
  readonly folder: string;
  readonly programs: readonly {
    readonly name: string;
    readonly file: string;
    readonly args: readonly string[];
    readonly after?: string;
  }[];
}

/** Where everything of one control plane is. */
export interface Layout {
  readonly folder: string;
  readonly url: string;
  readonly etcdUrl: string;
  readonly adminToken: string;
  readonly nobodyToken: string;
  /** kube-apiserver writes it when it starts: its own certificate and the authority that signed it. */
  readonly servingCertificate: string;
  readonly kubeconfig: string;
  /** Path of the file with the `Plan`. */
  readonly plan: string;
  readonly hasControllers: boolean;
}

/** Writes everything that the programs read into `folder`. */
export async function layOut(
  folder: string,
  ports: readonly number[],
  binaries: Binaries,
  options: { readonly apiServerFlags?: readonly string[]; readonly controllers?: boolean },
): Promise<Layout> {
  const [etcdPort, peerPort, port] = ports.map(String);
  const at = (name: string): string => join(folder, name);
  const url = `https://127.0.0.1:${port ?? ''}`;
  const etcdUrl = `http://127.0.0.1:${etcdPort ?? ''}`;
  const [adminToken, nobodyToken] = [newToken(), newToken()];
  const servingCertificate = at('apiserver.crt');
  const keys = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  await writeFile(at('sa.key'), keys.privateKey, { mode: 0o600 });
  await writeFile(at('sa.pub'), keys.publicKey);
  await writeFile(at('tokens.csv'), `${adminToken},admin,admin,"system:masters"\n${nobodyToken},nobody,nobody\n`, {
    mode: 0o600,
  });
  await writeFile(at('kubeconfig'), JSON.stringify(kubeconfig(url, adminToken, servingCertificate)), { mode: 0o600 });

  const manager = options.controllers === false ? undefined : binaries.controllerManager;
  const plan: Plan = {
    folder,
    programs: [
      { name: 'etcd', file: binaries.etcd, args: etcdFlags(at('etcd'), etcdUrl, `http://127.0.0.1:${peerPort ?? ''}`) },
      {
        name: 'kube-apiserver',
        file: binaries.apiServer,
        args: [...apiServerFlags(folder, port ?? '', etcdUrl), ...(options.apiServerFlags ?? [])],
      },
      ...(manager === undefined
        ? []
        : [
            {
              name: 'kube-controller-manager',
              file: manager,
              args: controllerFlags(folder),
              after: servingCertificate,
            },
          ]),
    ],
  };
  await writeFile(at('plan.json'), JSON.stringify(plan));
  return {
    folder,
    url,
    etcdUrl,
    adminToken,
    nobodyToken,
    servingCertificate,
    kubeconfig: at('kubeconfig'),
    plan: at('plan.json'),
    hasControllers: manager !== undefined,
  };
}

function etcdFlags(data: string, url: string, peerUrl: string): readonly string[] {
  return [
    '--name=etcd',
    `--data-dir=${data}`,
    `--listen-client-urls=${url}`,
    `--advertise-client-urls=${url}`,
    `--listen-peer-urls=${peerUrl}`,
    `--initial-advertise-peer-urls=${peerUrl}`,
    `--initial-cluster=etcd=${peerUrl}`,
    '--unsafe-no-fsync=true',
    '--log-level=warn',
  ];
}

function apiServerFlags(folder: string, port: string, etcdUrl: string): readonly string[] {
  return [
    `--etcd-servers=${etcdUrl}`,
    `--cert-dir=${folder}`,
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    `--secure-port=${port}`,
    '--authorization-mode=RBAC',
    `--token-auth-file=${join(folder, 'tokens.csv')}`,
    '--anonymous-auth=false',
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${join(folder, 'sa.pub')}`,
    `--service-account-signing-key-file=${join(folder, 'sa.key')}`,
    '--service-cluster-ip-range=10.0.0.0/24',
    '--allow-privileged=true',
    '--enable-priority-and-fairness=false',
  ];
}

function controllerFlags(folder: string): readonly string[] {
  return [
    `--kubeconfig=${join(folder, 'kubeconfig')}`,
    `--service-account-private-key-file=${join(folder, 'sa.key')}`,
    '--leader-elect=false',
    '--secure-port=0',
  ];
}

function newToken(): string {
  return randomBytes(24).toString('base64url');
}

function kubeconfig(url: string, token: string, authority: string): object {
  return {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'local', cluster: { server: url, 'certificate-authority': authority } }],
    users: [{ name: 'admin', user: { token } }],
    contexts: [{ name: 'local', context: { cluster: 'local', user: 'admin' } }],
    'current-context': 'local',
  };
}
