// A package for tests whose Action, for some objects, never gives the process back, never ends, or forgets what it began.
import { done, proceduresFor } from '@pawl/reconciler';
import { ConfigMaps, crdFor, defineCatalog, definePackage, defineResource, type CustomResource, type KubernetesContext } from '@pawl/reconciler/kubernetes';

interface Note extends CustomResource<'test.pawl.dev/v1', 'Note', { readonly text: string }> {}
const Notes = defineResource<Note>({ apiVersion: 'test.pawl.dev/v1', kind: 'Note', plural: 'notes' });
const { defineAction, defineProcedure } = proceduresFor<KubernetesContext<Note>>();

function format(text: string): string {
  while (text === 'poison') continue;
  return text.trim();
}

/** Fails after whoever called it has gone on. */
async function forgotten(): Promise<never> {
  await new Promise((resolve) => setTimeout(resolve, 10));
  throw new Error('nobody waits for me');
}

const written = defineAction({
  name: 'Written',
  owns: { configMaps: ConfigMaps },
  run: async ({ object, cluster }) => {
    if (object.spec.text === 'endless') await new Promise(() => {});
    if (object.spec.text === 'leak') void forgotten();
    await cluster.configMaps.apply({ metadata: { name: object.metadata.name }, data: { text: format(object.spec.text) } });
    return done();
  },
});

const spec = { type: 'object', required: ['text'], properties: { text: { type: 'string' } } } as const;
const procedure = defineProcedure({ version: '1.0.0', actions: [written] });

export default definePackage({ name: 'notes', crds: [crdFor(Notes, { spec })], kinds: [defineCatalog(Notes, [procedure])] });
