// Plays the demo: sets the stage, does one move after the other, listens to keys, cleans up.
import { join } from 'node:path';
import { CustomResourceDefinitions } from '@pawl/reconciler/kubernetes';
import type { Ports } from '../ports.ts';
import { line } from '../terminal/lines.ts';
import { ApiClient, RefusedError } from './api-client.ts';
import { DemoPlay } from './demo-play.ts';
import { loadExample, type Example } from './example.ts';
import { OperatorProcess } from './operator-process.ts';
import type { DemoOptions } from './options.ts';
import { Screen } from './screen.ts';
import type { Ending } from './state.ts';
import { startStand, type Stand } from './stand.ts';

/** Runs the demo to its end and answers the exit code. */
export async function runDemo(options: DemoOptions, ports: Ports): Promise<number> {
  const elapsedMs = (): number => ports.clock.monotonic() - options.startedAtMs;
  const screen = new Screen(ports.terminal, elapsedMs);
  const example = await loadExample(options.example, ports);
  const stand = await startStand(options.port, options.podsReadyWithinMs);
  const folder = await ports.files.makeTemporaryFolder('pawl-demo-');
  const logFile = join(folder, 'operator.log');
  const operator = new OperatorProcess({ startSelf: ports.startSelf, clock: ports.clock, server: stand.url, logFile });
  const client = new ApiClient(stand.url, ports.fetch);
  const play = new DemoPlay({
    options,
    ports,
    example,
    client,
    screen,
    operator,
    elapsedMs,
    server: stand.server,
    logFile,
  });
  let ending: Ending = { exitCode: 1, message: 'failed' };
  try {
    await setStage(folder, example, stand, client, screen, ports);
    ending = await play.run();
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    ending = { exitCode: 1, message: `failed: the API refused what the demo needs: ${error.message}` };
  } finally {
    screen.close();
    await operator.stop();
    await stand.close();
    if (ending.exitCode === 0) await ports.files.removeFolder(folder);
  }
  ports.terminal.write(`${ending.message}\n`);
  return ending.exitCode;
}

async function setStage(
  folder: string,
  { packages, kind, name, sample, samplePath }: Example,
  stand: Stand,
  client: ApiClient,
  screen: Screen,
  ports: Ports,
): Promise<void> {
  const kubeconfig = join(folder, 'kubeconfig');
  await ports.files.write(kubeconfig, stand.kubeconfig);
  const { url, busyPort } = stand;
  if (busyPort !== undefined) screen.tell(line(`port ${busyPort} is not free, another one was picked`, 'busy'));
  screen.tell(
    line(`a Kubernetes API answers on ${url}; to use it in another terminal:`),
    line(`  export KUBECONFIG=${kubeconfig}`, 'strong'),
  );
  for (const crd of packages.at(-1)?.crds ?? []) {
    await client.apply(CustomResourceDefinitions, { name: crd.metadata.name }, { ...crd });
    screen.tell(line(`installed CustomResourceDefinition ${crd.metadata.name}`));
  }
  await client.apply(kind, name, sample);
  screen.tell(line(`applied ${shortened(samplePath, ports.workingFolder)}`));
}

function shortened(path: string, folder: string): string {
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path;
}
