// Selectors against the labels of pods: an object that finds pods in the older version and none in the newer one.
import { groupOf, isSelected, type KubernetesObject } from '@pawl/reconciler/kubernetes';
import type { Look, Pair, Remark, Side } from './pair.ts';

type Labels = Readonly<Record<string, string>>;
/** Labels of a pod that is there, or that a template makes. */
type Pod = Pick<KubernetesObject, 'metadata'>;

export const selectors: Look = (pair) => {
  const [oldPods, newPods] = [podsOf(pair.older), podsOf(pair.newer)];
  return [...pair.newer.state].flatMap(([key, object]) => {
    const before = pair.older.state.get(key);
    const [old, now] = [before === undefined ? undefined : selectorOf(before), selectorOf(object)];
    if (before === undefined || old === undefined || now === undefined) return [];
    if (selected(before, old.labels, oldPods).length === 0) return [];
    const found = { old: selected(object, now.labels, oldPods).length, new: selected(object, now.labels, newPods).length };
    return remarksOn(pair, key, object, now.path, found, newPods.length > 0);
  });
};

function remarksOn(
  { older, newer }: Pair,
  object: string,
  { kind }: KubernetesObject,
  path: string,
  found: { readonly old: number; readonly new: number },
  hasPods: boolean,
): readonly Remark[] {
  const action = 'let the selector and the labels of the pods agree';
  if (found.new === 0) {
    const whose = found.old === 0 ? `no pod, neither of ${newer.version} nor of ${older.version}` : `pods of ${older.version} only, which go`;
    // Without any pod of the newer version nobody here can say who makes them.
    return [{ object, path, severity: hasPods ? 'error' : 'information', says: `in ${newer.version} it selects ${whose}`, action }];
  }
  if (found.old > 0 || kind !== 'Service') return [];
  return [
    {
      object,
      path,
      severity: 'information',
      says: `it selects pods of ${newer.version} and none of ${older.version}: while pods are replaced it has no endpoints until a new one is ready`,
      action: 'give pods both labels for one release, if requests must be answered all the time',
    },
  ];
}

function selected({ metadata }: KubernetesObject, labels: Labels, pods: readonly Pod[]): readonly Pod[] {
  return pods.filter((pod) => isSelected(pod as KubernetesObject, { namespace: metadata.namespace ?? '*', labels }));
}

type Spec = {
  readonly selector?: unknown;
  readonly podSelector?: { readonly matchLabels?: Labels };
  readonly template?: { readonly metadata?: { readonly labels?: Labels } };
};
const specOf = (object: KubernetesObject): Spec => (object as KubernetesObject & { readonly spec?: Spec }).spec ?? {};

/** Kinds that select pods which others make. A workload and its own template cannot part: the API sees to that. */
function selectorOf(object: KubernetesObject): { readonly labels: Labels; readonly path: string } | undefined {
  const { selector, podSelector } = specOf(object);
  const [labels, path] = ((): readonly [Labels | undefined, string] => {
    switch (`${groupOf(object.apiVersion)}/${object.kind}`) {
      case '/Service':
        return [selector as Labels | undefined, '.spec.selector'];
      case 'policy/PodDisruptionBudget':
        return [(selector as { readonly matchLabels?: Labels } | undefined)?.matchLabels, '.spec.selector.matchLabels'];
      case 'networking.k8s.io/NetworkPolicy':
        return [podSelector?.matchLabels, '.spec.podSelector.matchLabels'];
      default:
        return [undefined, ''];
    }
  })();
  return labels === undefined || Object.keys(labels).length === 0 ? undefined : { labels, path };
}

/** Pods that are there, and those that templates would make: a workload of no replicas has none. */
function podsOf({ state, pods }: Side): readonly Pod[] {
  const made = [...state.values()].flatMap((object): readonly Pod[] => {
    const { template } = specOf(object);
    const labels = template?.metadata?.labels;
    return labels === undefined ? [] : [{ metadata: { ...object.metadata, labels } }];
  });
  return [...pods, ...made];
}
