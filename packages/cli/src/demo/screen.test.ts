import { describe, expect, it } from 'vitest';
import { line } from '../terminal/lines.ts';
import { fakePorts } from '../testing/fake-ports.ts';
import { Screen } from './screen.ts';

describe('the screen', () => {
  it('prints plain lines with their time where nobody looks', () => {
    const ports = fakePorts();
    const screen = new Screen(ports.terminal, () => 1_234);
    screen.show([line('one')], [line('panel')]);
    screen.refresh([line('panel')]);
    screen.close();
    expect(ports.output()).toBe('[  1.2 s] one\n');
  });

  it('keeps the panel below the lines in a terminal, and removes it at the end', () => {
    const ports = fakePorts({}, { isInteractive: true, columns: () => 5 });
    const screen = new Screen(ports.terminal, () => 0);
    screen.show([line('one')], [line('a panel'), line('b')]);
    expect(ports.output()).toBe('[  0.0 s] one\na pa…\nb\n');
    screen.close();
    expect(ports.output().endsWith('b\n\u001b[2A\r\u001b[J')).toBe(true);
  });

  it('shows no more of the panel than fits', () => {
    const ports = fakePorts({}, { isInteractive: true, rows: () => 2 });
    new Screen(ports.terminal, () => 0).show([], [line('a'), line('b'), line('c')]);
    expect(ports.output()).toBe('a\n');
  });
});
