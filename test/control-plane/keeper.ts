// A process that keeps the programs of one control plane: it ends them, and removes their data, when its input closes
// (because the parent asked for it or died), when it is told to terminate, or when one of them ends by itself.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync, openSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plan } from './layout.ts';

const [, , planFile] = process.argv;
if (planFile === undefined) throw new Error('usage: keeper.ts PLAN');
const plan = JSON.parse(readFileSync(planFile, 'utf8')) as Plan;
const running = new Map<ChildProcess, Promise<unknown>>();
const byName = new Map<string, ChildProcess>();
let ending = false;

function start(program: Plan['programs'][number]): void {
  const log = openSync(join(plan.folder, `${program.name}.log`), 'a');
  const child = spawn(program.file, program.args, { cwd: plan.folder, stdio: ['ignore', log, log] });
  child.once('error', () => void end(1));
  byName.set(program.name, child);
  running.set(child, new Promise((resolve) => child.once('close', resolve)));
  child.once('close', () => {
    running.delete(child);
    void end(1);
  });
}

/** An order of the parent: a signal and the name of a program, such as `SIGSTOP etcd`. It is repeated when it is done. */
function obey(order: string): void {
  const [signal, name = ''] = order.split(' ');
  if (signal === 'SIGSTOP' || signal === 'SIGCONT') byName.get(name)?.kill(signal);
  process.stdout.write(`${order}\n`);
}

async function end(code: number): Promise<void> {
  if (ending) return;
  ending = true;
  for (const child of [...running.keys()].reverse()) await stop(child);
  // After a failure the parent reads the logs first and then removes the folder itself.
  if (code === 0) await rm(plan.folder, { recursive: true, force: true });
  process.exit(code);
}

async function stop(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM');
  const forced = setTimeout(() => child.kill('SIGKILL'), 3_000);
  await running.get(child);
  clearTimeout(forced);
}

for (const program of plan.programs) {
  const { after } = program;
  if (after === undefined) start(program);
  else {
    const waiting = setInterval(() => {
      if (!existsSync(after)) return;
      clearInterval(waiting);
      if (!ending) start(program);
    }, 100);
  }
}
process.stdin
  .setEncoding('utf8')
  .on('data', (text) => {
    for (const order of String(text).trim().split('\n')) obey(order);
  })
  .once('end', () => void end(0))
  .once('error', () => void end(0));
process.once('SIGTERM', () => void end(0));
process.once('SIGINT', () => void end(0));
