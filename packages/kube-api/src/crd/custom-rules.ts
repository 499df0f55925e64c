// How objects of a custom resource behave: pruned and defaulted by their schema, validated by it, versioned by content.
import type { Cause } from '../errors.ts';
import { at, without, type KubeObject } from '../json.ts';
import type { Rules } from '../kinds/resource-type.ts';
import { plainRules } from '../kinds/rules/plain.ts';
import { checkRules } from '../schema/cel/check-rules.ts';
import { customSchema, type CustomSchema } from '../schema/index.ts';
import { OBJECT_META_FIELDS } from '../schema/object-meta.ts';
import type { CrdVersion } from './definition.ts';

/** The compiled schema of a version. */
export function schemaOf(version: CrdVersion): CustomSchema {
  return customSchema(version.schema, checkRules);
}

/** The rules of one version. */
export function customRules(version: CrdVersion, schema: CustomSchema): Rules {
  return {
    ...plainRules,
    unconditionalUpdate: false,
    generation: true,
    decode: (object) => {
      const decoded = schema.decode(object);
      const strange = Object.keys(object.metadata).filter((key) => !OBJECT_META_FIELDS.has(key));
      if (strange.length === 0) return decoded;
      const metadata = Object.fromEntries(
        Object.entries(decoded.object.metadata).filter(([key]) => OBJECT_META_FIELDS.has(key)),
      );
      const unknown = [...strange.map((key) => `metadata.${key}`), ...decoded.unknown];
      return { object: { ...decoded.object, metadata }, unknown };
    },
    validate: (object, old) => [...scaleCauses(version, object), ...schema.validate(object, old)],
    validateStatus: schema.validateStatus,
    warnings: finalizerWarnings,
    versionedPart: (object) => {
      const content = without(without(object, 'metadata'), 'apiVersion');
      return version.status ? without(content, 'status') : content;
    },
  };
}

function scaleCauses({ scale }: CrdVersion, object: KubeObject): readonly Cause[] {
  const path = scale?.['specReplicasPath'];
  if (typeof path !== 'string') return [];
  const field = path.replace(/^\./, '');
  const value = at(object, ...field.split('.'));
  if (typeof value !== 'number' || value >= 0) return [];
  return [{ reason: 'FieldValueInvalid', message: `Invalid value: ${value}: should be a non-negative integer`, field }];
}

const STANDARD_FINALIZERS = new Set(['orphan', 'foregroundDeletion', 'kubernetes']);

function finalizerWarnings({ metadata }: KubeObject): readonly string[] {
  return (metadata.finalizers ?? [])
    .filter((finalizer) => !finalizer.includes('/') && !STANDARD_FINALIZERS.has(finalizer))
    .map((finalizer) => {
      const advice =
        'prefer a domain-qualified finalizer name including a path (/), which no other writer of finalizers will use';
      return `metadata.finalizers: ${JSON.stringify(finalizer)}: ${advice}`;
    });
}
