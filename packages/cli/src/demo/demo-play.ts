// The demo while it runs: events change the state, the state says the next move, keys interrupt.
import type { Transport } from '@pawl/kube-api';
import type { Ports, ProcessEnd } from '../ports.ts';
import type { ApiClient } from './api-client.ts';
import { checkNothingLeft, checkObjects } from './children.ts';
import type { Json } from './differences.ts';
import { edited, type Example } from './example.ts';
import { nextMove, type Move } from './moves.ts';
import { viewObject } from './object-view.ts';
import type { DemoOptions } from './options.ts';
import type { OperatorProcess } from './operator-process.ts';
import { KEYS, panel, type Key } from './panel.ts';
import { explainPick } from './pick.ts';
import type { Screen } from './screen.ts';
import { initialState, isAtNewest, newestOf, reduce, type DemoEvent, type DemoState, type Ending } from './state.ts';
import { story } from './story.ts';
import { watchObject } from './watch-object.ts';

export interface PlayParts {
  readonly options: DemoOptions;
  readonly ports: Ports;
  readonly example: Example;
  readonly client: ApiClient;
  readonly server: Transport;
  readonly screen: Screen;
  readonly operator: OperatorProcess;
  readonly logFile: string;
  readonly elapsedMs: () => number;
}

const TICK_MS = 250;

export class DemoPlay {
  readonly #parts: PlayParts;
  readonly #title: string;
  #state: DemoState;
  #object: Json | undefined;
  #edits = 0;
  #wake: () => void = () => {};

  constructor(parts: PlayParts) {
    const { kind, name } = parts.example;
    this.#parts = parts;
    this.#title = `${kind.kind} ${name.namespace ?? ''}/${name.name}`;
    this.#state = initialState(this.#title, parts.example.releases);
  }

  /** Plays until something ends the demo. */
  run = async (): Promise<Ending> => {
    const { ports, server, example } = this.#parts;
    const stopped = new AbortController();
    const ends = [
      ports.terminal.onKey(this.#onKey),
      ports.onStop(() => this.#quit('stopped')),
      this.#startTicking(),
      () => stopped.abort(),
    ];
    const onObject = (object: Json | undefined): void => this.#seen(object);
    watchObject(server, example.kind, example.name, onObject, stopped.signal).catch((error: unknown) => {
      if (!stopped.signal.aborted) this.#fail(error instanceof Error ? error.message : String(error));
    });
    try {
      return await this.#play();
    } finally {
      for (const end of ends) end();
    }
  };

  async #play(): Promise<Ending> {
    const { options, elapsedMs } = this.#parts;
    const deadlineMs = options.exitWhenReady ? options.timeoutMs : undefined;
    for (;;) {
      if (this.#state.ending !== undefined) return this.#state.ending;
      const pace = { nowMs: elapsedMs(), deadlineMs, exitWhenReady: options.exitWhenReady };
      const woken = new Promise<void>((resolve) => (this.#wake = resolve));
      const move = nextMove(this.#state, pace);
      if (move.do === 'wait') await woken;
      else await this.#perform(move);
    }
  }

  #happens(event: DemoEvent): void {
    const before = this.#state;
    this.#state = reduce(before, event);
    const { screen, ports, elapsedMs } = this.#parts;
    const told = story(before, event, this.#state, !ports.terminal.isInteractive);
    screen.show(told, panel(this.#state, elapsedMs()));
    this.#wake();
  }

  async #perform(move: Exclude<Move, { do: 'wait' }>): Promise<void> {
    switch (move.do) {
      case 'startOperator':
        return this.#startOperator(move.release);
      case 'stopOperator':
        this.#happens({ type: 'operatorLeaving', by: 'stop' });
        return this.#parts.operator.stop();
      case 'check':
        return this.#check();
      case 'planUpgrade':
        return this.#happens({
          type: 'upgradePlanned',
          atMs: this.#parts.elapsedMs() + this.#parts.options.upgradeAfterMs,
        });
      case 'upgrade':
        return this.#upgrade();
      case 'finish':
        return this.#happens({ type: 'ended', ending: { exitCode: 0, message: this.#lastWords() } });
      case 'fail':
        return this.#fail(move.why);
    }
  }

  #startOperator(release: number): void {
    const { pid, ended } = this.#parts.operator.start(this.#state.releases[release]?.module ?? '');
    this.#happens({ type: 'operatorStarted', pid, release });
    void ended.then((end) => this.#operatorEnded(end));
  }

  #operatorEnded({ exitCode, signal }: ProcessEnd): void {
    const wasAsked = this.#state.operator.state === 'leaving';
    this.#happens({ type: 'operatorEnded', exitCode, signal });
    if (!wasAsked && exitCode !== null && exitCode !== 0) this.#fail(`the operator ended with exit code ${exitCode}`);
  }

  /** Compares what is there with a fresh install, unless the object changes meanwhile. */
  async #check(): Promise<void> {
    const { client, example } = this.#parts;
    const object = await client.get(example.kind, example.name);
    const { resourceVersion, version } = viewObject(object);
    const catalog = example.packages.at(-1)?.kinds[0];
    if (catalog === undefined || version === undefined) return;
    const findings = await checkObjects(client, catalog, object, version);
    const after = viewObject(await client.get(example.kind, example.name));
    if (after.resourceVersion === resourceVersion && this.#state.object?.resourceVersion === resourceVersion)
      this.#happens({ type: 'checked', resourceVersion, ...findings });
  }

  #upgrade(): void {
    const catalog = this.#parts.example.packages.at(-1)?.kinds[0];
    const pick = catalog === undefined || this.#object === undefined ? '' : explainPick(catalog, this.#object);
    this.#happens({ type: 'upgradeWanted', pick });
  }

  #seen(object: Json | undefined): void {
    const last = this.#object;
    this.#object = object;
    if (object !== undefined) return this.#happens({ type: 'objectSeen', object: viewObject(object) });
    if (last === undefined) return;
    this.#happens({ type: 'objectGone' });
    const catalog = this.#parts.example.packages.at(-1)?.kinds[0];
    if (catalog === undefined) return;
    this.#attempt(async () => {
      const findings = await checkNothingLeft(this.#parts.client, catalog, last);
      this.#happens({ type: 'checked', resourceVersion: 'gone', ...findings });
    });
  }

  #onKey = (key: string): void => {
    const lower = key.toLowerCase();
    if (key === '\u0003') this.#quit('quit');
    else if (lower in KEYS) this.#press(lower as Key);
  };

  #press(key: Key): void {
    const { client, example, operator } = this.#parts;
    switch (key) {
      case 'k':
        if (this.#state.operator.state !== 'running') return;
        this.#happens({ type: 'operatorLeaving', by: 'kill' });
        return operator.kill();
      case 'u':
        if (this.#state.wantedRelease < this.#state.releases.length - 1) return this.#upgrade();
        return this.#say(`${newestOf(this.#state, this.#state.wantedRelease) ?? ''} is the newest version`);
      case 'e':
        return this.#attempt(async () => {
          const isNew = this.#object === undefined;
          if (!isNew) this.#edits += 1;
          const object = this.#edits === 0 ? example.sample : edited(example.sample, this.#edits);
          await client.apply(example.kind, example.name, object);
          if (!isNew) this.#say(`edited ${this.#title}: another page, ${2 + (this.#edits % 3)} replicas`);
        });
      case 'd':
        return this.#attempt(async () => {
          await client.delete(example.kind, example.name);
        });
      case 'q':
        return this.#quit('quit');
    }
  }

  #say(text: string): void {
    this.#happens({ type: 'said', text });
  }

  /** Something that a person asked for: a refusal is told, and the demo goes on. */
  #attempt(action: () => Promise<void>): void {
    action().catch((error: unknown) => this.#say(error instanceof Error ? error.message : String(error)));
  }

  #quit(how: string): void {
    const isEarly = this.#parts.options.exitWhenReady && !isAtNewest(this.#state);
    const { kills, wrong } = this.#state;
    const message = isEarly
      ? `${how} before ${this.#title} was Ready at the newest version`
      : `${how}: ${kills} kills, ${wrong.length} wrong objects`;
    this.#happens({ type: 'ended', ending: { exitCode: isEarly ? 130 : 0, message } });
  }

  #fail(why: string): void {
    const { object } = this.#state;
    const open = (object?.actions ?? []).filter(({ state }) => state !== 'reached');
    const lines = [
      `failed: ${why}`,
      ...(object === undefined ? [] : [`${this.#title}: ${object.summary === '' ? 'no status yet' : object.summary}`]),
      ...open.map(({ name, state, detail }) => `${name} is ${state}: ${detail}`),
      ...this.#state.wrong,
      `log of the operator: ${this.#parts.logFile}`,
    ];
    this.#happens({ type: 'ended', ending: { exitCode: 1, message: lines.join('\n') } });
  }

  #lastWords(): string {
    const { object, path } = this.#state;
    const seconds = (this.#parts.elapsedMs() / 1000).toFixed(1);
    return `${this.#title} is Ready at ${object?.version ?? '?'}, path ${path.join(' -> ')}, ${seconds} s`;
  }

  #startTicking(): () => void {
    const { clock } = this.#parts.ports;
    let cancel = (): void => {};
    const tick = (): void => {
      cancel = clock.setTimer(TICK_MS, tick);
      this.#parts.screen.refresh(panel(this.#state, this.#parts.elapsedMs()));
      this.#wake();
    };
    cancel = clock.setTimer(TICK_MS, tick);
    return () => cancel();
  }
}
