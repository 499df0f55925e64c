// Namespace decisions.
import { describe, expect, it } from 'vitest';
import { inShort, live, reported, viewOf } from '../testing/view.ts';
import { decideNamespace } from './decide.ts';

const namespace = (metadata: object = { deletionTimestamp: '2024-01-01T00:00:00Z' }): ReturnType<typeof live> =>
  live('v1', 'Namespace', { name: 'team', ...metadata }, { spec: { finalizers: ['kubernetes'] } });
const map = (metadata: object = {}): ReturnType<typeof live> =>
  live('v1', 'ConfigMap', { name: 'a', namespace: 'team', ...metadata });
const decide = (...objects: readonly ReturnType<typeof live>[]): ReturnType<typeof decideNamespace> =>
  decideNamespace('/team', viewOf(...objects), 0);

describe('a namespace', () => {
  it('is left alone while nobody deletes it', () => {
    expect(inShort(decide(namespace({}), map()))).toEqual([]);
  });

  it('that is deleted is emptied, kind by kind', () => {
    expect(inShort(decide(namespace(), map()))).toEqual(['clear ConfigMap']);
  });

  it('waits for content that a finalizer holds, and says so', () => {
    const decision = decide(namespace(), map({ deletionTimestamp: '2024-01-01T00:00:00Z', finalizers: ['x/y'] }));
    expect(inShort(decision)).toEqual([]);
    expect(reported(decision)?.['conditions']).toContainEqual(
      expect.objectContaining({ type: 'NamespaceFinalizersRemaining', message: 'Held by the finalizers: x/y' }),
    );
  });

  it('goes when the server confirms that nothing of any kind is left', () => {
    const steps = inShort(decide(namespace()));
    expect(steps).toContain('expectEmpty ConfigMap');
    expect(steps.at(-1)).toBe('finalize Namespace team');
  });
});
