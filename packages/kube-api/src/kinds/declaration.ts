// How a built-in resource is declared; what is left out has its usual value.
import type { Verb } from '../server/request-info.ts';
import type { Column, ResourceType, Rules, ScalePaths } from './resource-type.ts';

export const ALL_VERBS: readonly Verb[] = [
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'update',
  'watch',
];

/** The same in the order in which discovery lists them for custom resources. */
export const CUSTOM_VERBS: readonly Verb[] = [
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'create',
  'update',
  'watch',
];

/** The category of `kubectl get all`. */
export const ALL = ['all'];

/** Group and version are '' and v1 unless given. */
export interface Declaration {
  readonly group?: string;
  readonly version?: string;
  readonly kind: string;
  readonly plural: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly cluster?: true;
  readonly verbs?: readonly Verb[];
  readonly status?: true;
  readonly scale?: ScalePaths;
  readonly subresources?: readonly string[];
  readonly fields?: readonly string[];
  readonly columns?: readonly Column[];
  readonly rules?: Partial<Rules>;
  /** Stored as objects of another resource. */
  readonly storage?: Pick<ResourceType, 'table' | 'fromStorage' | 'toStorage'>;
}
