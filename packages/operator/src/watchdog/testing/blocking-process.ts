// A process in which one Action blocks while another one waits. Arguments: how it blocks, the files of the report and of the
// termination message.
import { done, runCycle, systemClock, type CycleHost } from '@pawl/reconciler';
import type { KubernetesContext } from '@pawl/reconciler/kubernetes';
import { forPages, type Page } from '../../testing/pages.ts';
import { Watchdog } from '../watchdog.ts';

const [, , how, reportFile = '', terminationFile = ''] = process.argv;
const bindings = { service: 'test' };
const watchdog = new Watchdog({ limitMs: 400, release: 'test:1', reportFile, terminationFile, bindings, clock: systemClock });

function neverEnds(): never {
  for (;;) if (how === 'expression') /^(a+)+$/.test(`${'a'.repeat(60)}b`);
}

const waits = forPages.defineAction({
  name: 'Waits',
  run: async ({ object }) => {
    await new Promise((resolve) => setTimeout(resolve, object.metadata.name === 'poisoned' ? 100 : 3_000));
    if (object.metadata.name === 'poisoned') neverEnds();
    return done();
  },
});
const procedure = watchdog.tracker.watch(forPages.defineProcedure({ version: '1.0.0', actions: [waits] }) as never);

const hostOf = (name: string): CycleHost<KubernetesContext<Page>> => {
  const metadata = { name, namespace: 'default', uid: `uid-${name}`, resourceVersion: '1', generation: 4 };
  const object = { apiVersion: 'test.pawl.dev/v1', kind: 'Page', metadata, spec: { text: '' } };
  return { context: { object } as unknown as KubernetesContext<Page>, clock: systemClock, open: () => ({}) };
};

watchdog.start();
await Promise.all(['poisoned', 'fine'].map((name) => runCycle(procedure as never, hostOf(name))));
