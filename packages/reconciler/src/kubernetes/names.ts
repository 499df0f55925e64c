// Every name that the framework writes into a cluster. A name that was released never changes: old objects carry it.
import type { RequestName } from '../versions/inputs.ts';
import { oncePerFrozen } from '../frozen.ts';
import { shortHash } from '../versions/digest.ts';

/** The domain of all names. */
export const DOMAIN = 'pawl.dev';
const PREFIX = `procedures.${DOMAIN}`;

/** Labels of owned objects. */
export const LABELS = {
  /** {@link ownerHash} of the object that owns this one; set in the request that creates it. */
  owner: `${PREFIX}/owner`,
} as const;

/** Annotations of owned objects, and of the objects that own them. */
export const ANNOTATIONS = {
  /** The procedure version that wrote the object last. */
  version: `${PREFIX}/version`,
  /** Uid of the owner. */
  ownerUid: `${PREFIX}/owner-uid`,
  /** The Action that the object belongs to. */
  action: `${PREFIX}/action`,
  /** Fingerprint of the object as its Action wants it. */
  applied: `${PREFIX}/applied`,
  /** `"true"`: never deleted by the operator. */
  keep: `${PREFIX}/keep`,
  /** On the owner: the copy of its version record. */
  mirror: `${PREFIX}/record`,
  /** On the owner: which Action blocked the process, and how often; written by the process after that. */
  blocked: `${PREFIX}/blocked`,
} as const;

/** Keeps an object until its teardown is done. */
export const FINALIZER = `${PREFIX}/teardown`;

/** The annotation by which a person asks for something; the operator removes it when it is used up. */
export function requestAnnotation(name: RequestName): string {
  return `${PREFIX}/${name}`;
}

/** Who wrote a field, as the API server remembers it: one name for each kind of write, or one would erase another's. */
export interface FieldManagers {
  /** Objects that the kind's procedures own. */
  readonly children: string;
  /** Finalizer and mirror of the object itself. */
  readonly record: string;
  readonly status: string;
}

/** The field managers of one kind of a package. */
export function fieldManagersOf(packageName: string, kind: string): FieldManagers {
  const children = `pawl-${packageName}-${kind.toLowerCase()}`;
  return { children, record: `${children}-record`, status: `${children}-status` };
}

/** The field manager of a claim on fields of an object that somebody else owns. */
export function claimManager(packageName: string, claim: string): string {
  return `pawl-${packageName}/${claim}`;
}

/** Name of the Lease of an operator. It depends on no version, or two versions could both lead. */
export function leaseName(operatorName: string): string {
  return `pawl-${operatorName}`;
}

/** The object that owned objects belong to, by name. */
export interface OwnerRef {
  readonly group: string;
  readonly kind: string;
  readonly namespace?: string | undefined;
  readonly name: string;
}

/** A short text that is the same for an object whenever it is created anew, and fits into a label. */
export function ownerHash({ group, kind, namespace = '', name }: OwnerRef): string {
  return shortHash([group, kind, namespace, name].join('/'), 20);
}

/** The API group of an `apiVersion`; empty for the core group. */
export function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/');
  return slash === -1 ? '' : apiVersion.slice(0, slash);
}

interface Named {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

/** {@link ownerHash} of an object as it was read. */
export const ownerHashOf: (object: Named) => string = oncePerFrozen(({ apiVersion, kind, metadata }) =>
  ownerHash({ group: groupOf(apiVersion), kind, namespace: metadata.namespace, name: metadata.name }),
);
