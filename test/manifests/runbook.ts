// The runbook as a document: one section for each reason, with the text that the operator writes.
import { readFileSync } from 'node:fs';
import { ALERTS, CONDITIONS } from './runbook-others.ts';
import { REASONS, type Entry } from './runbook-reasons.ts';

/** The texts of the operator as its own tests hold them, by reason. */
export function textsOfReasons(): ReadonlyMap<string, string> {
  const path = new URL('../../packages/reconciler/src/kubernetes/messages.expected.txt', import.meta.url);
  const sections = readFileSync(path, 'utf8').trim().split('\n\n');
  return new Map(
    sections.map((section) => {
      const [reason = '', ...lines] = section.split('\n');
      return [reason, lines.join(' ').trim()] as const;
    }),
  );
}

/** The anchor of a heading, as code hosts make it. */
export function anchorOf(title: string): string {
  return title.toLowerCase().replaceAll(' ', '-');
}

const HEAD = `# Runbook

Alerts and messages lead here. Each section says what is meant and what to do. Three commands answer most questions:

\`\`\`sh
kubectl get KIND -A                    # the columns READY, VERSION and STATUS
pawl explain KIND/NAME -n NAMESPACE    # what is recorded, what would be decided, why, and what to do
kubectl describe pod -n NAMESPACE      # why a process of the operator ended: its termination message
\`\`\`

Whatever stands here: an operator that refuses to act changes nothing. There is time to read.
`;

/** The whole document. */
export function runbook(): string {
  const texts = textsOfReasons();
  return [
    HEAD,
    part('Alerts', ALERTS, texts),
    part('Why an object, or its next version, stands still', REASONS, texts),
    part('Other reasons', CONDITIONS, texts),
  ].join('\n');
}

function part(title: string, entries: Readonly<Record<string, Entry>>, texts: ReadonlyMap<string, string>): string {
  const sections = Object.entries(entries).map(([name, entry]) => section(name, entry, texts.get(name)));
  return [`## ${title}\n`, ...sections].join('\n');
}

function section(name: string, { what, act }: Entry, text: string | undefined): string {
  const quoted = text === undefined ? '' : `> ${text}\n\n`;
  const steps = act.length === 0 ? 'Nothing is to be done.\n' : `${act.map((step) => `- ${step}`).join('\n')}\n`;
  return `### ${name}\n\n${what}\n\n${quoted}${steps}`;
}
