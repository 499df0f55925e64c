// The Enrollment kind as people write it, and the two kinds that only an Enrollment names.
import {
  defineOpenResource,
  defineResource,
  DOMAIN,
  type CustomResource,
  type KubernetesObject,
  type ResourceType,
} from '@pawl/reconciler/kubernetes';

export const GROUP = `enrollment.${DOMAIN}`;
const API = 'enrollment.pawl.dev/v1alpha1';

type Texts = Readonly<Record<string, string>>;
type Json = Readonly<Record<string, unknown>>;

/** One member that the Enrollment lists itself. */
export interface StaticMember {
  readonly id: string;
  readonly logicalID?: string;
  readonly tags?: Texts;
  readonly properties?: Json;
}

/** Objects of a configured kind are the members. */
export interface SelectorSource extends ResourceType {
  /** Default: that of the Enrollment; `*` for all. */
  readonly namespace?: string;
  readonly labelSelector?: Texts;
  readonly fieldSelector?: Texts;
  /** Only objects with this condition at `True` are members. */
  readonly readyCondition?: string;
  /** A field of the objects, such as `data`: what is listed there are the members, not the objects. */
  readonly itemsIn?: string;
}

/** The members of a group that a plugin knows. */
export interface PluginSource {
  readonly name: string;
  readonly group: string;
  /** Nothing is changed while the group is in the middle of a change. */
  readonly waitForConverged?: boolean;
}

/** Exactly one of them. */
export interface SourceSpec {
  readonly static?: readonly StaticMember[];
  readonly selector?: SelectorSource;
  readonly plugin?: PluginSource;
}

/** Each member gets an object of this kind. */
export interface TemplateSink extends ResourceType {
  /** Default: that of the Enrollment. */
  readonly namespace?: string;
  /** A template. Default: the name of the Enrollment and the key. */
  readonly name?: string;
  /** An entry counts as ready while it has this condition at `True`. Default: as soon as it is there. */
  readonly readyCondition?: string;
}

/** `template` or `plugin`, exactly one of them. */
export interface SinkSpec {
  readonly template?: TemplateSink;
  readonly plugin?: { readonly name: string };
  /** On every entry; a plugin is asked for entries with these only. */
  readonly labels?: Texts;
  /** A template for each entry; of a plugin's entry the default is the description of the member. */
  readonly properties?: Json;
}

export interface PolicySpec {
  readonly onSourceKeyError?: string;
  readonly onEnrolledKeyError?: string;
  readonly drift?: string;
  readonly batchSize?: number;
  readonly duplicates?: string;
  readonly adopt?: string;
  readonly allowEmptySource?: boolean;
  readonly maxRemovals?: number | string;
  /** An entry is asked to be released first, and removed when it is, or when the time is over. */
  readonly beforeRemoval?: { readonly timeout: string };
}

/** `spec.options`, as that controller reads it. */
export interface UpstreamOptions {
  readonly SyncInterval?: string;
  readonly DestroyOnTerminate?: boolean;
  readonly SourceKeySelector?: string;
  readonly EnrollmentKeySelector?: string;
  readonly SourceParseErrPolicy?: string;
  readonly EnrollmentParseErrPolicy?: string;
}

export interface EnrollmentSpec {
  readonly source: SourceSpec;
  readonly sink: SinkSpec;
  readonly keys?: { readonly source?: string; readonly enrolled?: string };
  readonly policy?: PolicySpec;
  readonly syncInterval?: string;
  readonly paused?: boolean;
  readonly deletionPolicy?: string;
  readonly concurrency?: number;
  /** The options of InfraKit's controller, under their own names. */
  readonly options?: UpstreamOptions;
}

export interface Counts {
  readonly source: number;
  readonly enrolled: number;
  readonly adding: number;
  readonly removing: number;
  readonly outdated: number;
  readonly failed: number;
  readonly unmanaged: number;
  readonly duplicates: number;
}

/** An entry, or a member without one, that is not as it should be. */
export interface EntryStatus {
  readonly key: string;
  readonly sinkID?: string;
  readonly state: 'Failed' | 'Removing' | 'Held' | 'Unkeyed' | 'Duplicate' | 'Outdated' | 'Replacing';
  readonly reason: string;
  readonly message?: string;
  readonly attempts?: number;
  /** RFC 3339. */
  readonly nextRetry?: string;
}

/** Where entries of this Enrollment may be. Recorded before the first one is made there. */
export interface RecordedSink {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly namespace?: string;
  readonly plugin?: string;
  readonly labels?: Texts;
}

export interface EnrollmentStatus {
  readonly counts: Counts;
  readonly entries: readonly EntryStatus[];
  readonly sinks: readonly RecordedSink[];
}

export interface Enrollment extends CustomResource<typeof API, 'Enrollment', EnrollmentSpec, EnrollmentStatus> {}
/** An entry of a template sink: any object. */
export interface Child extends KubernetesObject {}

export const Enrollments = defineResource<Enrollment>({ apiVersion: API, kind: 'Enrollment', plural: 'enrollments' });
/** What objects may name as source and as sink is the operator's configuration, under these names. */
export const SourceMembers = defineOpenResource<KubernetesObject>('SourceMember');
export const SinkEntries = defineOpenResource<Child>('SinkEntry');
