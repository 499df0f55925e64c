// Labs for the tests of one file, closed after each test.
import { afterEach } from 'vitest';
import type { InformerScope } from '../cache/informer.ts';
import { InformerLab, type LabScript } from './informer-lab.ts';

export type OpenLab = (script?: LabScript, scope?: Partial<InformerScope>) => Promise<InformerLab>;

/** Call once at the top of a test file. */
export function useLabs(): OpenLab {
  const open: InformerLab[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((lab) => lab.close()));
  });
  return async (script, scope) => {
    const lab = await InformerLab.open(script, scope);
    open.push(lab);
    return lab;
  };
}
