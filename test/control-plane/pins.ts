// What this folder pins (go.mod, go.sum and the flags of the build), and where the binaries of these pins are kept.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The folder of go.mod: this one. */
export const moduleFolder = import.meta.dirname;

/** The programs of a control plane: file name in the cache -> Go package. */
export const programs = {
  etcd: 'go.etcd.io/etcd/server/v3',
  'kube-apiserver': 'k8s.io/kubernetes/cmd/kube-apiserver',
  'kube-controller-manager': 'k8s.io/kubernetes/cmd/kube-controller-manager',
} as const;

/** The pinned versions, such as `v1.35.4` and `v3.6.5`, and a short digest of everything that shapes the binaries. */
export interface Pins {
  readonly kubernetes: string;
  readonly etcd: string;
  readonly digest: string;
}

/** Flags of `go build`: small static binaries that report the version of the module as a release build would. */
export function buildFlags(kubernetes: string): readonly string[] {
  const [major, minor] = kubernetes.slice(1).split('.');
  const stamp = { gitVersion: kubernetes, gitMajor: major, gitMinor: minor, gitTreeState: 'clean' };
  const set = Object.entries(stamp).map(([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`);
  return ['-mod=readonly', '-trimpath', '-p', '2', '-ldflags', ['-s', '-w', ...set].join(' ')];
}

/** Reads the pins from go.mod. */
export function readPins(): Pins {
  const goMod = readFileSync(join(moduleFolder, 'go.mod'), 'utf8');
  const goSum = readFileSync(join(moduleFolder, 'go.sum'), 'utf8');
  const kubernetes = pinned(goMod, 'k8s.io/kubernetes');
  const shape = [goMod, goSum, ...buildFlags(kubernetes), process.platform, process.arch].join('\n');
  const digest = createHash('sha256').update(shape).digest('hex').slice(0, 16);
  return { kubernetes, etcd: pinned(goMod, 'go.etcd.io/etcd/server/v3'), digest };
}

/** Where the binaries of these pins are kept: outside of the repository, one folder for each digest. */
export function cacheFolder(pins: Pins, env: NodeJS.ProcessEnv = process.env): string {
  const root = env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
  return join(root, 'pawl', 'control-plane', pins.digest);
}

function pinned(goMod: string, module: string): string {
  const line = goMod.split('\n').find((text) => text.trim().startsWith(`${module} v`));
  const version = line?.trim().split(' ')[1];
  if (version === undefined) throw new Error(`go.mod pins no version of ${module}`);
  return version;
}
