// Types that are sent but never stored. The notation is that of `schema/type-table.ts`.
import { compileTables } from '../schema/type-table.ts';
import type { TypeSchema } from '../schema/type-schema.ts';
import { META_TYPES } from '../schema/types/meta.ts';

const REQUEST_TYPES = `
Binding: kind:string apiVersion:string metadata!:ObjectMeta target!:BindingTarget
BindingTarget: kind:string namespace:string name:string uid:string apiVersion:string resourceVersion:string
DeleteOptions: kind:string apiVersion:string gracePeriodSeconds?:int64 preconditions?:Preconditions
  orphanDependents?:bool propagationPolicy?:string dryRun:[string]
  ignoreStoreReadErrorWithClusterBreakingPotential?:bool
Eviction: kind:string apiVersion:string metadata!:ObjectMeta deleteOptions?:DeleteOptions
NonResourceAttributes: path:string verb:string
Preconditions: uid?:string resourceVersion?:string
ResourceAttributes: namespace:string verb:string group:string version:string resource:string subresource:string
  name:string
Rule: verbs:[string]
Scale: kind:string apiVersion:string metadata!:ObjectMeta spec:ScaleSpec status:ScaleStatus
ScaleSpec: replicas:int32
ScaleStatus: replicas!:int32 selector:string
SelfSubjectAccessReview: kind:string apiVersion:string metadata!:ObjectMeta spec!:SelfSubjectAccessReviewSpec
  status:SubjectAccessReviewStatus
SelfSubjectAccessReviewSpec: resourceAttributes?:ResourceAttributes nonResourceAttributes?:NonResourceAttributes
SelfSubjectRulesReview: kind:string apiVersion:string metadata!:ObjectMeta spec!:SelfSubjectRulesReviewSpec
  status:SubjectRulesReviewStatus
SelfSubjectRulesReviewSpec: namespace:string
SubjectAccessReviewStatus: allowed:bool reason:string evaluationError:string denied:bool
SubjectRulesReviewStatus: resourceRules:[Rule] nonResourceRules:[Rule] incomplete:bool
  evaluationError:string
`;

const KINDS = new Set([
  'Binding',
  'DeleteOptions',
  'Eviction',
  'Scale',
  'SelfSubjectAccessReview',
  'SelfSubjectRulesReview',
]);
const typeNamed = compileTables([META_TYPES, REQUEST_TYPES]);

/** The type of a kind that only occurs in requests; undefined for other kinds. */
export function schemaOfRequest(kind: string): TypeSchema | undefined {
  return KINDS.has(kind) ? typeNamed(kind) : undefined;
}
