// One operator of a story, in a process of its own behind a proxy: killed exactly where the simulation kills it, and
// started again when it ends by itself, as Kubernetes would.
import type { Listening } from '@pawl/kube-api';
import { FaultyTransport } from '../world/faulty-transport.ts';
import type { FaultScript } from '../world/fault-script.ts';
import type { HistoryEvent } from '../world/history.ts';
import type { OperatorOrder, RealPorts, RunningOperator } from './ports.ts';
import { lasting, startProxy } from './proxy.ts';

export interface RealProcessParts extends Pick<OperatorOrder, 'number' | 'kind' | 'release' | 'config'> {
  readonly script: FaultScript;
  readonly history: HistoryEvent[];
  readonly onEdit: (edit: number) => Promise<void>;
}

const RESTART_MS = 500;
const MOST_RESTARTS = 5;
const WORKING = 'reconciling begins';
const KEPT_LOGS = 40;

export class RealProcess {
  readonly #parts: RealProcessParts;
  readonly #ports: RealPorts;
  readonly transport: FaultyTransport;
  #listening: Listening | undefined;
  #child: RunningOperator | undefined;
  #isAlive = true;
  #restarts = 0;
  #logs = '';

  private constructor(parts: RealProcessParts, ports: RealPorts) {
    this.#parts = parts;
    this.#ports = ports;
    const { clock } = ports;
    this.transport = new FaultyTransport({
      process: parts.number,
      api: lasting(ports.transport),
      turn: () => Promise.resolve(),
      now: clock.now,
      setTimer: clock.setTimer,
      script: parts.script,
      history: parts.history,
      onCrash: () => this.#die(),
      onClockJump: () => {},
      onEdit: parts.onEdit,
    });
  }

  static start = async (parts: RealProcessParts, ports: RealPorts): Promise<RealProcess> => {
    const operator = new RealProcess(parts, ports);
    parts.history.push({ type: 'note', atMs: ports.clock.now(), process: parts.number, says: `process ${parts.number} starts` });
    operator.#listening = await startProxy(operator.transport, Buffer.from(ports.random.bytes(24)).toString('base64url'));
    await operator.#launch();
    return operator;
  };

  get number(): number {
    return this.#parts.number;
  }

  /** False as soon as it was killed. */
  get isAlive(): boolean {
    return this.#isAlive;
  }

  /** Why it does not run any more although nobody killed it. */
  get isGivenUp(): boolean {
    return this.#restarts > MOST_RESTARTS;
  }

  /** Whether its caches are complete and its workers run. */
  isWorking = async (): Promise<boolean> => ((await this.#child?.log()) ?? '').includes(WORKING);

  /** Ends it, unless it was killed already; resolves when nothing is left of it. What it complained of is in the history then. */
  end = async (): Promise<void> => {
    this.transport.kill();
    this.#die();
    await this.#child?.ended;
    await this.#listening?.close();
    this.#logs += (await this.#child?.log()) ?? '';
    this.#parts.history.push(...complaintsIn(this.#logs, this.#parts.number));
    this.#logs = '';
    this.#child = undefined;
  };

  #die(): void {
    this.#isAlive = false;
    this.#child?.kill();
  }

  async #launch(): Promise<void> {
    const { number, kind, release, config } = this.#parts;
    const child = await this.#ports.startOperator({ number, kind, release, config, server: this.#listening?.url ?? '' });
    this.#child = child;
    if (!this.#isAlive) return child.kill();
    void child.ended.then((how) => this.#again(child, how));
  }

  async #again(child: RunningOperator, how: string): Promise<void> {
    if (!this.#isAlive || this.#child !== child) return;
    const { history, number } = this.#parts;
    history.push({ type: 'note', atMs: this.#ports.clock.now(), process: number, says: `process ${number} ends by itself: ${how}` });
    this.#logs += await child.log();
    this.#restarts += 1;
    if (!this.isGivenUp) this.#ports.clock.setTimer(RESTART_MS, () => void (this.#isAlive && this.#launch()));
  }
}

interface LogLine {
  readonly level?: string;
  readonly time?: string;
  readonly msg?: string;
  readonly why?: unknown;
  readonly err?: { readonly message?: string };
}

/** Warnings and errors of a log. What is no line of a log is what the process said when it could not even begin. */
function complaintsIn(log: string, process: number): readonly HistoryEvent[] {
  const complaints = log.split('\n').flatMap((text): readonly HistoryEvent[] => {
    const line = parsed(text);
    if (line === undefined) return text.startsWith('error: ') ? [{ type: 'log', atMs: 0, process, level: 'error', says: text, error: undefined }] : [];
    const { level, time = '', msg = '', why, err } = line;
    if (level !== 'warn' && level !== 'error') return [];
    return [{ type: 'log', atMs: Date.parse(time), process, level, says: msg, error: err?.message ?? (typeof why === 'string' ? why : undefined) }];
  });
  return complaints.slice(0, KEPT_LOGS);
}

function parsed(text: string): LogLine | undefined {
  try {
    return text.startsWith('{') ? (JSON.parse(text) as LogLine) : undefined;
  } catch {
    return undefined;
  }
}
