// The error for a kind that the server does not have, saying what it has instead.
import { ApiError, type ResourceType } from '@pawl/reconciler/kubernetes';
import { groupOf } from '../client/paths.ts';

/** The server does not serve a kind. It may later, when its CRD is installed. */
export class KindNotServedError extends ApiError {
  readonly type: ResourceType;
  /** Versions of the kind's group that the server has. */
  readonly servedVersions: readonly string[];

  constructor(type: ResourceType, servedVersions: readonly string[]) {
    super(404, 'KindNotServed', messageOf(type, servedVersions));
    this.type = { apiVersion: type.apiVersion, kind: type.kind };
    this.servedVersions = servedVersions;
  }
}

function messageOf({ apiVersion, kind }: ResourceType, versions: readonly string[]): string {
  const group = groupOf(apiVersion);
  const name = group === '' ? 'the core group' : `group ${group}`;
  const served =
    versions.length === 0
      ? `it serves no version of ${name}; is the CRD installed?`
      : `of ${name} it serves ${versions.join(', ')}`;
  return `the server does not serve ${apiVersion} ${kind}: ${served}`;
}
