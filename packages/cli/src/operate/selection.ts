// Which objects a verb is about: one by name, or several by selector.
import type { Inspector, KindSetup } from '@pawl/operator';
import type { KubernetesObject } from '@pawl/reconciler/kubernetes';
import { InputError } from '../input-error.ts';

export interface SelectionFlags {
  readonly namespace?: string;
  readonly allNamespaces?: boolean;
  readonly selector?: string;
  readonly all?: boolean;
}

/** One object of one of the packages' kinds. */
export interface Selected {
  readonly setup: KindSetup;
  readonly object: KubernetesObject;
}

/**
 * The objects that `KIND/NAME`, or `KIND` with `--all` or `-l`, stands for. Kinds are found by kind, plural or both with
 * their group, in any case.
 *
 * @throws {InputError} naming the kinds that there are, or the object that is not there
 */
export async function select(target: string | undefined, flags: SelectionFlags, inspector: Inspector): Promise<readonly Selected[]> {
  const isBulk = flags.all === true || flags.selector !== undefined;
  if (target === undefined && !isBulk) throw new InputError([`found no object; allowed is KIND/NAME, or --all, or -l; the kinds are ${names(inspector)}`]);
  const [kind, name] = (target ?? '').split('/');
  const setups = target === undefined ? inspector.kinds : [kindNamed(kind ?? '', inspector)];
  if (name !== undefined && name !== '') {
    if (isBulk) throw new InputError([`found ${target ?? ''} together with --all or -l; allowed is one of them`]);
    return [await one(setups, name, flags, inspector)];
  }
  if (!isBulk) throw new InputError([`found ${target ?? ''} without a name; allowed is KIND/NAME, or KIND with --all or -l`]);
  const namespace = flags.allNamespaces === true ? undefined : (flags.namespace ?? 'default');
  const lists = await Promise.all(
    setups.map(async (setup) => {
      const objects = await inspector.list(setup, { namespace, labelSelector: flags.selector });
      return objects.map((object) => ({ setup, object }));
    }),
  );
  return lists.flat();
}

/** The setup of a kind by any of its names. @throws {InputError} naming the kinds that there are */
export function kindNamed(name: string, inspector: Pick<Inspector, 'kinds'>): KindSetup {
  const wanted = name.toLowerCase();
  const found = inspector.kinds.find(({ resource: { kind, plural, apiVersion } }) => {
    const group = apiVersion.split('/')[0] ?? '';
    const forms = [kind.toLowerCase(), plural];
    return [...forms, ...forms.map((form) => `${form}.${group}`)].includes(wanted);
  });
  if (found === undefined) throw new InputError([`found kind "${name}"; the kinds of these packages are ${names(inspector)}`]);
  return found;
}

async function one(setups: readonly KindSetup[], name: string, flags: SelectionFlags, inspector: Inspector): Promise<Selected> {
  const [setup] = setups;
  if (setup === undefined) throw new InputError(['the packages have no kind']);
  const { kind, namespaced } = setup.resource;
  const ref = namespaced ? { name, namespace: flags.namespace ?? 'default' } : { name };
  const object = await inspector.find(setup, ref);
  if (object === undefined)
    throw new InputError([`${kind} ${name} is not in ${namespaced ? `namespace ${ref.namespace ?? 'default'}` : 'the cluster'}; -n names another namespace`]);
  return { setup, object };
}

const names = ({ kinds }: Pick<Inspector, 'kinds'>): string => kinds.map(({ resource }) => resource.kind).join(', ');
