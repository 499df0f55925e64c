// The package as an operator takes it, with the plugins of a program in it.
import { bindExternal } from '@pawl/reconciler';
import { defineCatalog, definePackage, type ExampleObject, type ProcedurePackage } from '@pawl/reconciler/kubernetes';
import { Enrollments } from './api.ts';
import { enrollmentCrd } from './crd.ts';
import type { Fetch } from './plugins/json-rpc.ts';
import { pluginCalls, type PluginsByName } from './plugins/plugin-set.ts';
import { Plugins } from './plugins/spi.ts';
import { v1 } from './v1/index.ts';
import { v2 } from './v2/index.ts';
import { v3 } from './v3/index.ts';

/** What a program may bring of its own. */
export interface EnrollmentPackageOptions {
  /** Plugins in process, by the name that Enrollments use. Others are configured by address. */
  readonly plugins?: PluginsByName;
  /** Default: that of the platform. */
  readonly fetch?: Fetch;
}

/** Lists two members and keeps a ConfigMap for each. */
export const example: ExampleObject = {
  apiVersion: Enrollments.apiVersion,
  kind: Enrollments.kind,
  metadata: { name: 'hosts', namespace: 'default' },
  spec: {
    source: {
      static: [
        { id: 'h1', properties: { iops: 10 } },
        { id: 'h2', properties: { iops: 20 } },
      ],
    },
    sink: { template: { apiVersion: 'v1', kind: 'ConfigMap' }, properties: { data: { host: '{{ id }}' } } },
    deletionPolicy: 'Delete',
  },
};

/** The Enrollment kind with its three procedures. */
export function enrollmentPackage({
  plugins = {},
  fetch = globalThis.fetch,
}: EnrollmentPackageOptions = {}): ProcedurePackage {
  return definePackage({
    name: 'enrollment',
    kinds: [defineCatalog(Enrollments, [v1, v2, v3])],
    crds: [enrollmentCrd],
    external: [bindExternal(Plugins, (environment) => pluginCalls(plugins, environment, fetch))],
    examples: [example],
  });
}
