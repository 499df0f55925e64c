// The first release of the operator: it knows procedure 1.0.0 only.
import { defineCatalog, definePackage } from '@pawl/reconciler/kubernetes';
import { v1 } from './v1.ts';
import { website, Websites } from './website.ts';

export default definePackage({ ...website, kinds: [defineCatalog(Websites, [v1])] });
