// The second release: Websites of 1.0.0 are taken over by 2.0.0, in place.
import { defineCatalog, definePackage } from '@pawl/reconciler/kubernetes';
import { v1 } from './v1.ts';
import { v2 } from './v2.ts';
import { website, Websites } from './website.ts';

export default definePackage({ ...website, kinds: [defineCatalog(Websites, [v1, v2])] });
