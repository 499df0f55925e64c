// How `forEach` and `firstOf` turn several results into one.
import type { Action, Scope } from './action.ts';
import { resultOfError } from './result-of-error.ts';
import { done, MAX_ITEMS, pending, undetermined, type ActionResult, type ItemStatus, type NotDone } from './result.ts';

export interface EachParts {
  readonly items: (context: unknown, results: unknown) => readonly unknown[] | Promise<readonly unknown[]>;
  readonly key: (item: unknown) => string;
  readonly atATime?: number;
  readonly concurrency?: number;
  readonly run: (context: unknown, results: unknown, item: unknown) => ActionResult | Promise<ActionResult>;
}

interface Keyed {
  readonly key: string;
  readonly result: ActionResult;
}

type Body = (item: unknown) => Promise<ActionResult>;

/** Runs the body for each item; an item's error is that item's result. */
export function evaluateEach(parts: EachParts) {
  return async ({ context, results, planning }: Scope): Promise<ActionResult<ReadonlyMap<string, unknown>>> => {
    const items = await parts.items(context, results);
    const keys = items.map((item) => parts.key(item));
    const seen = new Set<string>();
    for (const key of keys) {
      if (seen.has(key)) return undetermined('DuplicateKey', `two items have the key "${key}"`);
      seen.add(key);
    }
    const body: Body = (item) => guarded(() => parts.run(context, results, item));
    const run =
      parts.atATime === undefined || planning
        ? await together(items, body, parts.concurrency ?? 8)
        : await rollout(items, keys, body, parts.atATime);
    return summary(run.map((result, index) => ({ key: keys[index] ?? '', result })));
  };
}

async function guarded(body: () => ActionResult | Promise<ActionResult>): Promise<ActionResult> {
  try {
    return await body();
  } catch (error) {
    return resultOfError(error);
  }
}

async function together(items: readonly unknown[], body: Body, limit: number): Promise<ActionResult[]> {
  const results: ActionResult[] = [];
  const waiting = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of waiting) results[index] = await body(item);
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  return results;
}

async function rollout(
  items: readonly unknown[],
  keys: readonly string[],
  body: Body,
  limit: number,
): Promise<ActionResult[]> {
  const results: ActionResult[] = [];
  const open: string[] = [];
  for (const [index, item] of items.entries()) {
    const result = open.length < limit ? await body(item) : pending('Waiting', `waits for ${open.join(', ')}`);
    if (result.status !== 'True' && result.reason !== 'Waiting') open.push(keys[index] ?? '');
    results.push(result);
  }
  return results;
}

function summary(run: readonly Keyed[]): ActionResult<ReadonlyMap<string, unknown>> {
  const values = new Map<string, unknown>();
  const open: (ItemStatus & NotDone)[] = [];
  for (const { key, result } of run) {
    if (result.status === 'True') values.set(key, result.value);
    else open.push({ ...result, key });
  }
  const [first] = open.sort((a, b) => Number(b.status === 'Unknown') - Number(a.status === 'Unknown'));
  if (first === undefined) return done(values);
  const waits = open.flatMap(({ requeueAfterMs }) => requeueAfterMs ?? []);
  return {
    status: first.status,
    reason: 'ItemsNotReady',
    message: `${values.size} of ${run.length} ready; ${first.key}: ${first.message}`,
    progress: { done: values.size, total: run.length },
    items: open.slice(0, MAX_ITEMS).map(({ key, status, reason, message }) => ({ key, status, reason, message })),
    ...(waits.length > 0 ? { requeueAfterMs: Math.min(...waits) } : {}),
    ...(first.error === undefined ? {} : { error: first.error }),
  };
}

/**
 * Tries alternatives in order. Goes on past one that is skipped by `when`, past a check that is False and past a result
 * with `fallThrough`; never past a change that has begun, so that two alternatives are not under way at once.
 */
export function evaluateFirst(alternatives: Readonly<Record<string, Action<never>>>) {
  return async ({ evaluate }: Scope): Promise<ActionResult> => {
    const tried: string[] = [];
    for (const { name } of Object.values(alternatives)) {
      const { level, result } = await evaluate(name);
      if (result.status === 'True') {
        if (result.reason !== 'NotApplicable') return result;
      } else if (result.status === 'Unknown' || (level === 'change' && result.fallThrough !== true)) {
        return { ...result, blockedBy: result.blockedBy ?? [name] };
      }
      tried.push(`${name}: ${result.reason}`);
    }
    return pending('NoAlternative', tried.join('; '));
  };
}
