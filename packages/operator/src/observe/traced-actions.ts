// Spans around the bodies of Actions.
import type { CycleHost } from '@pawl/reconciler';
import { noTracer, type SpanAttributes, type Tracer } from './tracing.ts';

type Around = NonNullable<CycleHost<unknown>['around']>;
type Ran = Awaited<ReturnType<Around>>;

/**
 * What looks on while the Actions of one cycle run; undefined if nobody does.
 *
 * @param cycle attributes of each span
 */
export function tracedActions(tracer: Tracer, cycle: SpanAttributes): Around | undefined {
  if (tracer === noTracer) return undefined;
  return (name, body) =>
    tracer.span({ name: `action ${name}`, attributes: { 'pawl.action.name': name, ...cycle } }, (span) => {
      const told = (ran: Ran): Ran => {
        const { status, reason } = ran.result;
        span.set({ 'pawl.action.status': status, 'pawl.action.reason': reason, 'pawl.action.changes': ran.changes.length });
        // False is an answer: not yet. Unknown means that the Action could not tell.
        if (status === 'Unknown') span.fail(reason);
        return ran;
      };
      const ran = body();
      return ran instanceof Promise ? ran.then(told) : told(ran);
    });
}
