// Procedure 2.0.0: each page in an immutable ConfigMap of its own, so that pods never serve half of an edit.
import { createHash } from 'node:crypto';
import { done } from '@pawl/reconciler';
import { ConfigMaps } from '@pawl/reconciler/kubernetes';
import { contentStored, forWebsite, v1 } from './v1.ts';

const contentStoredByHash = forWebsite.defineAction({
  name: 'ContentStored',
  owns: { configMaps: ConfigMaps },
  run: async ({ object, cluster }) => {
    const hash = createHash('sha256').update(object.spec.html).digest('hex').slice(0, 8);
    const name = `${object.metadata.name}-content-${hash}`;
    await cluster.configMaps.apply({ metadata: { name }, immutable: true, data: { 'index.html': object.spec.html } });
    return done(name);
  },
});

const storedByHash = forWebsite.replaceAction(contentStored, contentStoredByHash);
export const v2 = forWebsite.deriveProcedure(v1, { version: '2.0.0', rollbackTo: '1.0.0', replace: [storedByHash] });
