// `pawl run` on the command line.
import type { Command } from 'commander';
import { collected } from '../flags.ts';
import type { Ports } from '../ports.ts';
import type { RunFlags } from './run-settings.ts';

/** Said below the flags: what a script, a probe or a person at night needs to know. */
const NOTES = `
Every setting can also stand in the file of --config or in the environment, as PAWL_ and its name: PAWL_LOG_LEVEL,
PAWL_HEALTH_PORT, PAWL_NAMESPACES=shop,blog. PAWL_CONFIG names the file. Flags win over the environment, the
environment over the file.

Exit codes:
  0   it was asked to stop (SIGTERM, SIGINT) and nothing was left half done
  1   a setting is wrong, it cannot begin, another replica acts now, an Action let a promise fail that it does not
      await, or it did not end in time
  70  an Action blocked the process
Before it ends with another code than 0 it writes what to do to $TERMINATION_MESSAGE_PATH (default: /dev/termination-log).
`;

/** Adds `run`. */
export function addRunCommand(program: Command, ports: Ports, exits: (code: number) => void): void {
  program
    .command('run')
    .description('run the operator process with one or more procedure packages')
    .option('--config <file>', 'YAML file with the settings; flags win over it')
    .option('--package <name or path>', 'procedure package; may be repeated', collected)
    .option('--name <name>', 'name of the operator')
    .option('--release <text>', 'release and image of this operator, as records name it (default: its name)')
    .option('--server <url>', 'address of an API server that asks for no credentials')
    .option('--kubeconfig <file>', 'kubeconfig file (default: $KUBECONFIG, ~/.kube/config, or the pod’s own account)')
    .option('--context <name>', 'context of the kubeconfig file')
    .option('--namespace <name>', 'namespace whose objects are reconciled; may be repeated (default: all)', collected)
    .option('--label-selector <selector>', 'only objects with such labels, as for kubectl -l (default: all)')
    .option('--field-selector <selector>', 'only objects with such fields, as for kubectl --field-selector (default: all)')
    .option('--lease-namespace <name>', 'namespace of the Lease by which replicas agree who acts (default: only one runs)')
    .option('--pod-name <name>', 'name of this process for people (default: $POD_NAME, $HOSTNAME)')
    .option('--health-port <port>', 'port of /healthz, /readyz and /metrics; 0: none')
    .option('--upgrade-policy <policy>', 'Automatic, or Manual: new versions wait for an approval')
    .option('--on-stranded <what>', 'hold: not ready while objects that are fine now would stand still; or warn')
    .option('--workers <count>', 'objects of one kind that are reconciled at the same time')
    .option('--resync-ms <milliseconds>', 'every object is looked at again after so long')
    .option('--settle-ms <milliseconds>', 'how long a request of a predecessor that died may still take effect')
    .option('--shutdown-ms <milliseconds>', 'how long work in flight may take to end')
    .option('--log-level <level>', 'trace, debug, info, warn, error or silent')
    .option('--stop-with-stdin', 'stop when standard input ends, as it does with the parent process')
    .addHelpText('after', NOTES)
    .action(async (flags: RunFlags) => {
      const { runOperator } = await import('./run-operator.ts');
      exits(await runOperator(flags, ports));
    });
}
