// Options of get, list and watch.
import { forbiddenField, invalidValue, notSupported } from '../causes.ts';
import { badRequest, internal, invalid, type Cause } from '../errors.ts';
import { isResourceVersion } from '../store/revision.ts';
import { isTrue } from './request-info.ts';

export interface ListOptions {
  readonly labelSelector: string;
  readonly fieldSelector: string;
  /** '' if not given. */
  readonly resourceVersion: string;
  readonly match: '' | 'Exact' | 'NotOlderThan';
  /** 0: no limit. */
  readonly limit: number;
  readonly continue: string;
  readonly timeoutSeconds: number | undefined;
  readonly bookmarks: boolean;
  readonly sendInitialEvents: boolean | undefined;
}

const SUBJECT = { group: 'meta.k8s.io', kind: 'ListOptions', name: '' };

/**
 * Reads the options of a list or watch.
 *
 * @throws StatusError 400 for numbers that are none, 422 for combinations that are not allowed.
 */
export function listOptions(query: URLSearchParams, watch: boolean): ListOptions {
  const options = {
    labelSelector: query.get('labelSelector') ?? '',
    fieldSelector: query.get('fieldSelector') ?? '',
    resourceVersion: query.get('resourceVersion') ?? '',
    match: query.get('resourceVersionMatch') ?? '',
    limit: integer(query, 'limit') ?? 0,
    continue: query.get('continue') ?? '',
    timeoutSeconds: integer(query, 'timeoutSeconds'),
    bookmarks: isTrue(query.get('allowWatchBookmarks')),
    sendInitialEvents: query.has('sendInitialEvents') ? isTrue(query.get('sendInitialEvents')) : undefined,
  };
  const causes = watch ? watchCauses(options) : listCauses(options);
  if (causes.length > 0) throw invalid(SUBJECT, causes);
  checkResourceVersion(options.resourceVersion);
  return { ...options, match: options.match as ListOptions['match'] };
}

/** @throws StatusError 500 without a reason, as the real server does, if `resourceVersion` is given and no number. */
export function checkResourceVersion(resourceVersion: string): void {
  if (resourceVersion === '' || isResourceVersion(resourceVersion)) return;
  const why = `strconv.ParseUint: parsing ${JSON.stringify(resourceVersion)}: invalid syntax`;
  const { field, message } = invalidValue('resourceVersion', resourceVersion, why);
  throw internal(`${field}: ${message}`);
}

type Given = Omit<ListOptions, 'match'> & { readonly match: string };

function listCauses({ match, resourceVersion, continue: token, sendInitialEvents }: Given): readonly Cause[] {
  const causes: Cause[] = [];
  const field = 'resourceVersionMatch';
  if (sendInitialEvents !== undefined) {
    causes.push(forbiddenField('sendInitialEvents', 'sendInitialEvents is forbidden for list'));
  }
  if (match === '') return causes;
  if (resourceVersion === '')
    causes.push(forbiddenField(field, `${field} is forbidden unless resourceVersion is provided`));
  if (token !== '') causes.push(forbiddenField(field, `${field} is forbidden when continue is provided`));
  if (match !== 'Exact' && match !== 'NotOlderThan')
    causes.push(notSupported(field, match, ['Exact', 'NotOlderThan', '']));
  if (match === 'Exact' && resourceVersion === '0') {
    causes.push(forbiddenField(field, `${field} "exact" is forbidden for resourceVersion "0"`));
  }
  return causes;
}

function watchCauses({ match, continue: token, sendInitialEvents }: Given): readonly Cause[] {
  const causes: Cause[] = [];
  const field = 'resourceVersionMatch';
  if (sendInitialEvents !== undefined && match === '') {
    causes.push(forbiddenField(field, `sendInitialEvents requires setting ${field} to NotOlderThan`));
  }
  if (match === '') return causes;
  if (sendInitialEvents === undefined) {
    causes.push(forbiddenField(field, `${field} is forbidden for watch unless sendInitialEvents is provided`));
  }
  if (match !== 'NotOlderThan') causes.push(notSupported(field, match, ['NotOlderThan']));
  if (token !== '') causes.push(forbiddenField(field, `${field} is forbidden when continue is provided`));
  return causes;
}

function integer(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null || text === '') return undefined;
  if (!/^-?\d+$/.test(text))
    throw badRequest(`${name}: strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
  return Number(text);
}
