// What a version makes of an example: its Actions run in memory until nothing changes any more, its objects hashed.
import { canonicalJson, shortHash, type Procedure } from '@pawl/reconciler';
import { ANNOTATIONS, LABELS, type ExampleObject, type KubernetesContext, type KubernetesObject } from '@pawl/reconciler/kubernetes';
import { TestObject } from '@pawl/reconciler/testing';

type Json = Readonly<Record<string, unknown>>;

/** Actions that wait for something outside this memory stop the rest: what was reached until then is what is hashed. */
const MAX_CYCLES = 12;
const ROLLOUTS: ReadonlySet<string> = new Set(['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet']);
const FRAMEWORK: ReadonlySet<string> = new Set([...Object.values(ANNOTATIONS), ...Object.values(LABELS)]);

/** The hash of all objects that a procedure renders for an example. */
export async function renderedHash(procedure: Procedure<never>, example: ExampleObject): Promise<string> {
  const { apiVersion, kind, metadata, spec } = example;
  const owner = { apiVersion, kind, metadata: { namespace: 'default', ...metadata }, spec } as unknown as KubernetesObject;
  const test = new TestObject(owner);
  for (let count = 0; count < MAX_CYCLES; count += 1) {
    const { reconciled, changes } = await test.cycle(procedure as unknown as Procedure<KubernetesContext<KubernetesObject>>);
    if (reconciled || (changes.length === 0 && count > 0)) break;
    rollOut(test);
    test.clock.advance(60_000);
  }
  const made = test.cluster.all().filter((object) => object.metadata.uid !== test.object.metadata.uid);
  return shortHash(canonicalJson(made.map(content).sort((a, b) => (a.title < b.title ? -1 : 1))));
}

/** Workloads become as they were asked to be, as their controllers would see to it. */
function rollOut({ cluster }: TestObject<KubernetesObject>): void {
  for (const object of cluster.all()) {
    if (!ROLLOUTS.has(object.kind)) continue;
    const { spec, metadata } = object as KubernetesObject & { readonly spec?: { readonly replicas?: number } };
    const replicas = spec?.replicas ?? 1;
    const counts = { replicas, updatedReplicas: replicas, readyReplicas: replicas, availableReplicas: replicas };
    cluster.setStatus(object, metadata, { observedGeneration: metadata.generation, ...counts });
  }
}

function content({ apiVersion, kind, metadata, ...rest }: KubernetesObject): { readonly title: string; readonly content: Json } {
  const { name, namespace, labels, annotations } = metadata;
  const { status: _status, ...desired } = rest as Json;
  const authors = (names: Readonly<Record<string, string>> = {}): Json =>
    Object.fromEntries(Object.entries(names).filter(([key]) => !FRAMEWORK.has(key)));
  return {
    title: `${apiVersion} ${kind} ${namespace ?? ''}/${name}`,
    content: { apiVersion, kind, name, namespace, labels: authors(labels), annotations: authors(annotations), ...desired },
  };
}
