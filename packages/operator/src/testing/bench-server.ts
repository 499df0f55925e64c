// A process that serves many large objects over HTTP until it is disconnected, so that a benchmark measures its client alone.
import { createApiServer } from '@pawl/kube-api';

/** A ConfigMap of about 4.4 KB, with owner, labels, annotations and managers as real objects have them. */
function configMap(index: number): unknown {
  const name = `config-${String(index).padStart(5, '0')}`;
  const keys = Array.from({ length: 24 }, (_, key) => `setting.${key}.of.the.application`);
  const fields = Object.fromEntries(keys.map((key) => [`f:${key}`, {}]));
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name,
      namespace: 'default',
      uid: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
      creationTimestamp: '2026-01-01T00:00:00Z',
      labels: { 'app.kubernetes.io/name': 'application', 'app.kubernetes.io/instance': name, 'app.kubernetes.io/part-of': 'bench' },
      annotations: { 'example.dev/checksum': 'a'.repeat(64), 'example.dev/description': 'what this is there for'.repeat(4) },
      managedFields: [
        { manager: 'bench', operation: 'Apply', apiVersion: 'v1', time: '2026-01-01T00:00:00Z', fieldsType: 'FieldsV1', fieldsV1: { 'f:data': fields } },
      ],
    },
    data: Object.fromEntries(keys.map((key, position) => [key, `value ${index} ${position} `.repeat(7)])),
  };
}

const count = Number(process.argv[2] ?? 10_000);
const objects = Array.from({ length: count }, (_, index) => configMap(index));
const server = createApiServer({ objects });
const { url } = await server.listen();
process.once('disconnect', () => process.exit(0));
process.send?.({ url, bytes: JSON.stringify(server.objects().find(({ metadata }) => metadata.name === 'config-00042')).length });
