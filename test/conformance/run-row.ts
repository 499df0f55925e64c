// Runs one row against one server: sends what it says, compares, and keeps the answers in normal form.
import type { ApiRequest, ApiResponse, WatchEvent } from '@pawl/kube-api';
import { mismatches, show } from './matchers.ts';
import { Normaliser } from './normalise.ts';
import type { Expect, ExpectedEvent, Row, Send, Step } from './row.ts';
import type { Session } from './target.ts';
import { fill } from './template.ts';

/** An answer in normal form, as transcripts keep it. */
export interface Recorded {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly events?: readonly unknown[];
}

/** What a run of a row found. */
export interface RowResult {
  /** Where the server does not behave as the row says; empty if it agrees. */
  readonly disagreements: readonly string[];
  /** The answers to the row's steps that expect something, by position. */
  readonly recorded: Readonly<Record<string, Recorded>>;
}

interface OpenWatch {
  readonly events: WatchEvent[];
  taken: number;
  ended: boolean;
}

const keptHeaders = ['content-type', 'warning', 'retry-after', 'location'];
const defaultWaitMs = 60_000;

/** Runs the setup and the steps of `row`; the first disagreement ends it. */
export async function runRow(row: Row, session: Session): Promise<RowResult> {
  const run = new RowRun(session);
  const recorded: Record<string, Recorded> = {};
  try {
    for (const [i, step] of (row.setup ?? []).entries()) {
      const found = await run.step(withSuccess(step));
      if (found.wrong.length > 0)
        return { disagreements: found.wrong.map((line) => `setup ${String(i + 1)}: ${line}`), recorded };
    }
    for (const [i, step] of row.steps.entries()) {
      const found = await run.step(step);
      if (found.recorded !== undefined) recorded[String(i + 1)] = found.recorded;
      if (found.wrong.length > 0)
        return { disagreements: found.wrong.map((line) => `step ${String(i + 1)}: ${line}`), recorded };
    }
    return { disagreements: [], recorded };
  } catch (error) {
    return { disagreements: [`the run broke: ${error instanceof Error ? error.message : String(error)}`], recorded };
  } finally {
    run.close();
  }
}

/** A step of a setup succeeds, whatever else it expects. */
function withSuccess(step: Step): Step {
  return 'send' in step && !('repeat' in step) && step.expect === undefined
    ? { ...step, expect: { status: -1 } }
    : step;
}

interface Found {
  readonly wrong: readonly string[];
  readonly recorded?: Recorded;
}

class RowRun {
  readonly #session: Session;
  readonly #known: Map<string, unknown>;
  readonly #normaliser: Normaliser;
  readonly #watches = new Map<string, OpenWatch>();
  readonly #closing = new AbortController();

  constructor(session: Session) {
    this.#session = session;
    this.#known = new Map<string, unknown>([['ns', session.namespace]]);
    if (session.hook !== undefined) this.#known.set('hook', session.hook);
    this.#normaliser = new Normaliser(session.namespace);
  }

  async step(step: Step): Promise<Found> {
    if ('forget' in step) {
      await this.#session.forget();
      return { wrong: [] };
    }
    if ('storage' in step) {
      await this.#session.setStorage(step.storage === 'goes on');
      return { wrong: [] };
    }
    if ('repeat' in step) return this.#repeat(step.repeat, step.send);
    if ('until' in step) return this.#until(step);
    if ('watch' in step) return this.#watch(step.watch, step.as, step.expect);
    if ('events' in step) return this.#events(step);
    if ('end' in step) return this.#end(step);
    const response = await this.#send(step.send);
    if (step.as !== undefined) this.#save(step.as, response);
    return this.#judge(step.send, response, step.expect);
  }

  close(): void {
    this.#closing.abort();
  }

  async #repeat(times: number, send: Send): Promise<Found> {
    for (let i = 0; i < times; i++) {
      this.#known.set('i', String(i).padStart(3, '0'));
      const { status, body } = await this.#send(send);
      if (status >= 300) return { wrong: [`${send.method} ${send.path} answered ${String(status)} ${show(body)}`] };
    }
    return { wrong: [] };
  }

  async #until(step: Extract<Step, { until: Send }>): Promise<Found> {
    let left = step.withinMs ?? defaultWaitMs;
    for (;;) {
      const response = await this.#send(step.until);
      if (step.as !== undefined) this.#save(step.as, response);
      const found = this.#judge(step.until, response, step.expect);
      if (found.wrong.length === 0) return found;
      if (left <= 0)
        return { wrong: found.wrong.map((line) => `${line} (after ${String(step.withinMs ?? defaultWaitMs)} ms)`) };
      await this.#session.pass(100);
      left -= 100;
    }
  }

  async #watch(send: Send, as: string, expect: Expect | undefined): Promise<Found> {
    const request = { ...this.#request(send), signal: this.#closing.signal };
    const response = await this.#session.transport(send.user ?? 'admin').watch(request);
    if (response.status === 200) {
      const watch: OpenWatch = { events: [], taken: 0, ended: false };
      this.#watches.set(as, watch);
      void collect(response.events, watch);
    }
    return this.#judge(send, response, expect ?? { status: 200 });
  }

  async #events(step: Extract<Step, { events: string }>): Promise<Found> {
    const watch = this.#watchNamed(step.events);
    await this.#waitFor(() => watch.ended || watch.events.length - watch.taken >= step.expect.length, step.withinMs);
    const events = watch.events.slice(watch.taken, watch.taken + step.expect.length);
    watch.taken += events.length;
    this.#known.set(step.events, events);
    const wanted = fill(step.expect, this.#known) as readonly ExpectedEvent[];
    return {
      wrong: mismatches(wanted, events, `events of watch ${step.events}`),
      recorded: { events: this.#normaliser.normal(events) as readonly unknown[] },
    };
  }

  async #end(step: Extract<Step, { end: string }>): Promise<Found> {
    const watch = this.#watchNamed(step.end);
    await this.#waitFor(() => watch.ended, undefined);
    const unwanted = watch.events.slice(watch.taken).filter(({ type }) => !step.but.includes(type));
    watch.taken = watch.events.length;
    return {
      wrong: [
        ...(watch.ended ? [] : [`watch ${step.end}: expected its end, it goes on`]),
        ...(unwanted.length === 0 ? [] : [`watch ${step.end}: expected its end, found ${show(unwanted)}`]),
      ],
    };
  }

  async #waitFor(done: () => boolean, withinMs: number = defaultWaitMs): Promise<void> {
    for (let left = withinMs; left > 0 && !done(); left -= 100) await this.#session.pass(100);
  }

  #watchNamed(name: string): OpenWatch {
    const watch = this.#watches.get(name);
    if (watch === undefined) throw new Error(`the row has no open watch named ${name}`);
    return watch;
  }

  #save(name: string, response: ApiResponse): void {
    this.#known.set(name, response.body);
  }

  #judge(send: Send, response: ApiResponse, expect: Expect | undefined): Found {
    if (expect === undefined) return { wrong: [] };
    const asked = `${send.method} ${send.path}`;
    const said = ` (the answer: ${String(response.status)} ${show(response.body)})`;
    const succeeds = response.status >= 200 && response.status < 300;
    if (expect.status === -1) return { wrong: succeeds ? [] : [`${asked}: expected success${said}`] };
    const wrong = [
      ...(expect.status === undefined ? [] : mismatches(expect.status, response.status, `${asked}: status`)),
      ...(expect.headers === undefined
        ? []
        : mismatches(fill(expect.headers, this.#known), response.headers, `${asked}: headers`)),
      ...(expect.body === undefined ? [] : mismatches(fill(expect.body, this.#known), response.body, `${asked}: body`)),
    ];
    const headers = Object.fromEntries(Object.entries(response.headers).filter(([name]) => keptHeaders.includes(name)));
    return {
      wrong: wrong.length > 0 && wrong[0] !== undefined ? [`${wrong[0]}${said}`, ...wrong.slice(1)] : [],
      recorded: this.#normaliser.normal({ status: response.status, headers, body: response.body }) as Recorded,
    };
  }

  #send(send: Send): Promise<ApiResponse> {
    const request = this.#request(send);
    return send.text === undefined
      ? this.#session.transport(send.user ?? 'admin').request(request)
      : this.#session.sendText(request, String(fill(send.text, this.#known)));
  }

  #request(send: Send): ApiRequest {
    const { path, headers, body } = fill(
      { path: send.path, headers: send.headers, body: send.body },
      this.#known,
    ) as Send;
    return {
      method: send.method,
      path,
      ...(headers === undefined ? {} : { headers }),
      ...(body === undefined ? {} : { body }),
    };
  }
}

async function collect(events: AsyncIterable<WatchEvent>, watch: OpenWatch): Promise<void> {
  try {
    for await (const event of events) watch.events.push(event);
  } catch {
    // The stream broke or the row ended: either way it has ended.
  }
  watch.ended = true;
}
