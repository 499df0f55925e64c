// `pawl capture`: writes an object and everything that belongs to it as a state that exploring can begin in. Only reads.
import { subjectOf, type KubernetesObject } from '@pawl/reconciler/kubernetes';
import { formatStartState, START_STATE_FORMAT, type StartState } from '@pawl/testkit';
import { resolve } from 'node:path';
import { stringify } from 'yaml';
import { FaultList } from '../fault-list.ts';
import { InputError } from '../input-error.ts';
import { select } from '../operate/selection.ts';
import { openSession, type SessionFlags } from '../operate/session.ts';
import type { Ports } from '../ports.ts';
import { gather, parseExtra, type Extra } from './gather.ts';
import { isSecret, redact, withoutLastApplied } from './redact.ts';

export interface CaptureFlags extends SessionFlags {
  readonly namespace?: string;
  readonly with?: readonly string[];
  readonly redact?: boolean;
  readonly output?: string;
}

const titleOf = (object: KubernetesObject): string => subjectOf({ ...object, ...object.metadata });

/** Exit code 0; whatever is wrong with the input is thrown, and nothing is written. */
export async function runCapture(target: string, flags: CaptureFlags, ports: Ports): Promise<number> {
  const extras = extrasOf(flags.with ?? []);
  const session = await openSession(flags, ports);
  try {
    const [selected] = await select(target, flags, session.inspector);
    if (selected === undefined) throw new InputError([`found no ${target}`]);
    const objects = (await gather(selected, extras, session)).map(withoutLastApplied);
    refuseSecrets(objects, flags);
    const clean = flags.redact === true ? redact(objects) : { objects, secrets: [] };
    const from = session.packages.find(({ kinds }) => kinds.some(({ resource }) => resource.id === selected.setup.resource.id));
    const state: StartState = {
      name: target,
      takenAt: new Date(ports.clock.now()).toISOString(),
      ...(from === undefined ? {} : { package: from.name }),
      says: `${titleOf(selected.object)} and what belongs to it`,
      ...(clean.secrets.length === 0 ? {} : { redacted: clean.secrets }),
      objects: clean.objects,
    };
    await write(state, flags, ports);
    return 0;
  } finally {
    await session.close();
  }
}

function extrasOf(texts: readonly string[]): readonly Extra[] {
  const faults = new FaultList();
  const extras = texts.flatMap((text) => {
    const extra = parseExtra(text);
    if (extra === undefined) faults.add(`--with: found ${text}; allowed is [APIVERSION/]KIND/NAME[@NAMESPACE], such as Secret/db or apps/v1/Deployment/web`);
    return extra === undefined ? [] : [extra];
  });
  faults.throwIfAny();
  return extras;
}

function refuseSecrets(objects: Parameters<typeof redact>[0], { redact: isRedacting }: CaptureFlags): void {
  if (isRedacting === true) return;
  const faults = objects.filter(isSecret).map((secret) => `${titleOf(secret)} is among the objects, and its values would stand in the file; --redact writes placeholders instead`);
  if (faults.length > 0) throw new InputError(faults);
}

async function write(state: StartState, { output }: CaptureFlags, ports: Ports): Promise<void> {
  const { name: _, ...document } = state;
  const yaml = (): string => stringify({ kind: 'StartState', formatVersion: START_STATE_FORMAT, ...document }, { lineWidth: 0, aliasDuplicateObjects: false });
  if (output === undefined) return ports.terminal.write(yaml());
  await ports.files.write(resolve(ports.workingFolder, output), output.endsWith('.json') ? formatStartState(state) : yaml());
  ports.terminal.write(`${output} holds ${state.objects.length} objects: ${state.objects.map(titleOf).join(', ')}\n`);
}
