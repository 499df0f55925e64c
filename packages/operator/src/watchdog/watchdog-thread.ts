// The thread that ends a blocked process. It imports nothing that a blocked main thread would have to answer for.
//
// It stops the main thread by the debugger's interface, which reaches into a loop, asks it which Action runs and where,
// writes that down, and lets it exit. A process that does not even answer the debugger is killed; as the first process of a
// container it cannot be, from inside: then the kubelet does it, when the liveness probe has failed.
import { writeFileSync, writeSync } from 'node:fs';
import { Session, type Debugger, type InspectorNotification } from 'node:inspector';
import { workerData } from 'node:worker_threads';
import { messageOf, parseActive, type ActiveAction, type BlockReport } from './block-report.ts';
import { SharedBeat } from './shared-beat.ts';
import { ACTIVE_ACTION, BLOCKED_EXIT_CODE, type WatchdogSettings } from './watchdog-settings.ts';

const settings = workerData as WatchdogSettings;
const beat = new SharedBeat(settings.memory);
const everyMs = Math.max(20, Math.min(1_000, settings.limitMs / 10));
/** So long the main thread may take to answer the debugger, then to exit. */
const ANSWER_MS = 2_000;
const FRAMES = 3;

let seen = beat.beats;
let silentMs = 0;
// Time counts by ticks of this thread: in a machine that sleeps, or has no time for the process, both threads stand still.
const watching = setInterval(() => {
  const beats = beat.beats;
  silentMs = beats === seen ? silentMs + everyMs : 0;
  seen = beats;
  if (silentMs < settings.limitMs) return;
  clearInterval(watching);
  endProcess();
}, everyMs);

function endProcess(): void {
  const blockedMs = silentMs;
  const report = (active: ActiveAction | undefined, where: readonly string[]): BlockReport => ({
    active,
    where,
    blockedMs,
    at: new Date().toISOString(),
    release: settings.release,
  });
  // What is known already, in case that nothing more can be learnt: the Action that began last is a guess.
  leave(report(parseActive(parsed(beat.last)), []));
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), 2 * ANSWER_MS);
  const session = new Session();
  session.connectToMainThread();
  // A frame of code that was loaded before names its file only by this.
  const files = new Map<string, string>();
  session.on('Debugger.scriptParsed', ({ params }: InspectorNotification<Debugger.ScriptParsedEventDataType>) => {
    files.set(params.scriptId, params.url);
  });
  session.once('Debugger.paused', ({ params }: InspectorNotification<Debugger.PausedEventDataType>) => {
    const [top] = params.callFrames;
    if (top === undefined) return;
    const expression = `JSON.stringify(globalThis[Symbol.for('${ACTIVE_ACTION}')]?.())`;
    const { callFrameId } = top;
    session.post('Debugger.evaluateOnCallFrame', { callFrameId, expression, returnByValue: true }, (_error, answer) => {
      const final = report(parseActive(parsed(String(answer?.result.value))), framesOf(params.callFrames, files));
      leave(final);
      tell(final);
      session.post('Debugger.evaluateOnCallFrame', { callFrameId, expression: `process.exit(${BLOCKED_EXIT_CODE})` });
    });
  });
  session.post('Debugger.enable', () => session.post('Debugger.pause'));
}

/** Files that cannot be written are no reason to let the process live on. */
function leave(report: BlockReport): void {
  const files: readonly (readonly [string | undefined, string])[] = [
    [settings.terminationFile, messageOf(report)],
    [settings.reportFile, JSON.stringify(report)],
  ];
  for (const [path, text] of files) {
    if (path === undefined) continue;
    try {
      writeFileSync(path, text, { mode: 0o600 });
    } catch (error) {
      writeSync(2, `${String(error)}\n`);
    }
  }
}

/** A line of the log, past the logger, which lives in the blocked thread. */
function tell({ at, active, where, blockedMs }: BlockReport): void {
  const line = { level: 'error', time: at, ...settings.bindings, ...active, where, blockedMs, msg: 'an Action blocks the process, which ends itself' };
  writeSync(2, `${JSON.stringify(line)}\n`);
}

function framesOf(frames: readonly Debugger.CallFrame[], files: ReadonlyMap<string, string>): readonly string[] {
  const named = frames.map((frame) => ({ ...frame, url: files.get(frame.location.scriptId) ?? frame.url }));
  const own = named.filter(({ url }) => !url.startsWith('node:'));
  return own.slice(0, FRAMES).map(({ functionName, url, location }) => {
    const [file = ''] = /[^/]*\/[^/]*$/.exec(url) ?? [];
    return `${functionName === '' ? 'a function' : functionName}${file === '' ? '' : ` (${file}:${location.lineNumber + 1})`}`;
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
