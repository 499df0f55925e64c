// The Website kind: what people write, and what the API accepts.
import { crdFor, defineResource, type CustomResource } from '@pawl/reconciler/kubernetes';

const apiVersion = 'example.pawl.dev/v1alpha1';
type Spec = { readonly replicas: number; readonly image: string; readonly html: string };
export interface Website extends CustomResource<typeof apiVersion, 'Website', Spec> {}
export const Websites = defineResource<Website>({ apiVersion, kind: 'Website', plural: 'websites' });

const replicas = { type: 'integer', minimum: 1, maximum: 20, default: 2 };
const image = { type: 'string', minLength: 1, default: 'nginx:1.29' };
const html = { type: 'string' };
const spec = { type: 'object', required: ['html'], properties: { replicas, image, html } };
export const websiteCrd = crdFor(Websites, { spec });

const hello = { apiVersion, kind: Websites.kind, metadata: { name: 'hello' }, spec: { replicas: 3, html: 'Hello' } };
export const website = { name: 'website', crds: [websiteCrd], examples: [hello] };
