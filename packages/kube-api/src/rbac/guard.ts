// The guard at the door of a server: who sends a request, and may he?
import { StatusError, forbidden, notFound } from '../errors.ts';
import type { Authorize } from '../discovery/access-review.ts';
import { at, equalJson, without, type KubeObject } from '../json.ts';
import type { RequestInfo } from '../server/request-info.ts';
import type { ApiRequest } from '../transport.ts';
import { accessOf, accessTo, type Access } from './access.ts';
import { decide, rulesFor, type Decision, type Objects } from './decide.ts';
import { ruleText, uncovered } from './escalation.ts';
import { rulesOf, type PolicyRule } from './policy-rule.ts';
import { ADMIN, authenticate, identityOf, type AuthenticationOptions, type Identity, type User } from './user.ts';

/** What a guard is made of. */
export interface GuardOptions {
  readonly authorization?: 'rbac';
  readonly authentication?: AuthenticationOptions;
  readonly authorize?: Authorize;
}

/** Identifies and judges the senders of requests. */
export class Guard {
  readonly #options: GuardOptions;
  readonly #objects: Objects;

  constructor(options: GuardOptions, objects: Objects) {
    this.#options = options;
    this.#objects = objects;
  }

  /** False: everybody may do everything, and nobody needs to be asked who he is. */
  get isOn(): boolean {
    return this.#options.authorization === 'rbac' || this.#options.authentication !== undefined;
  }

  /**
   * Who sends a request.
   *
   * @param known a user that the caller vouches for
   * @throws StatusError 401
   */
  identify(request: ApiRequest, known: User | undefined): Identity {
    if (known !== undefined) return identityOf(known);
    return this.isOn ? authenticate(request.headers ?? {}, this.#options.authentication ?? {}) : ADMIN;
  }

  /** @throws StatusError 403 if the sender may not do what he asks for. */
  check(user: Identity, request: ApiRequest, info: RequestInfo): void {
    if (this.#options.authorization !== 'rbac') return;
    const access = accessOf(request, info);
    const decision = this.decide(user, access, {});
    if (!decision.allowed) throw refusal(user, access, decision.reason);
  }

  /** @throws StatusError 403 if the sender of a PUT or PATCH that would create an object may not create it. */
  checkCreate(user: Identity, request: ApiRequest, info: RequestInfo): void {
    const { resource } = info;
    if (this.#options.authorization !== 'rbac' || resource === undefined || resource.verb === 'create') return;
    const access: Access = { ...accessOf(request, info), verb: 'create' };
    const { allowed, reason } = this.decide(user, access, {});
    if (!allowed) throw refusal(user, access, reason);
  }

  /**
   * Roles and bindings grant at most what their writer has, or may `escalate` or `bind`.
   *
   * @throws StatusError 403 naming what is too much; 404 for a binding to a role that does not exist
   */
  checkGrant(user: Identity, written: KubeObject, before: KubeObject | undefined): void {
    if (this.#options.authorization !== 'rbac' || !written.apiVersion.startsWith(`${GROUP}/`)) return;
    if (user.groups.includes('system:masters') || (before !== undefined && isSameGrant(written, before))) return;
    const { kind } = written;
    const { name = '', namespace = '' } = written.metadata;
    const plural = `${kind.toLowerCase()}s`;
    const isRole = kind === 'Role' || kind === 'ClusterRole';
    const role = isRole ? { resource: plural, name } : boundRole(written);
    const access: Access = {
      ...accessTo(role.resource),
      verb: isRole ? 'escalate' : 'bind',
      namespace,
      name: role.name,
    };
    if (this.decide(user, access, {}).allowed) return;
    const source = isRole
      ? written
      : this.#objects.get(`${role.resource}.${GROUP}`, roleNamespace(role.resource, namespace), role.name);
    if (source === undefined) throw notFound({ group: GROUP, kind: plural, name: role.name });
    const { rules, faults } = rulesFor(this.#objects, user, namespace);
    const missing = uncovered(rulesOf(source), rules);
    if (missing.length === 0) return;
    const who = `user ${JSON.stringify(user.name)} (groups=[${user.groups.map((group) => JSON.stringify(group)).join(' ')}])`;
    const what = `${who} is attempting to grant RBAC permissions not currently held:\n${missing.map(ruleText).join('\n')}`;
    throw forbidden(
      { group: GROUP, kind: plural, name },
      faults === '' ? what : `${what}; resolution errors: [${faults}]`,
    );
  }

  /** Whether a user may do something. `headers` are those of the request, for a policy that looks at them. */
  decide(user: Identity, access: Access, headers: Readonly<Record<string, string>>): Decision {
    const { authorization, authorize } = this.#options;
    if (authorization === 'rbac') {
      const decision = decide(this.#objects, user, access);
      if (!decision.allowed || authorize === undefined) return decision;
    }
    if (authorize === undefined) return { allowed: true, reason: "allowed by the server's policy" };
    const { path, ...resource } = access;
    const allowed = authorize({ ...resource, headers });
    return { allowed, reason: allowed && path === undefined ? "allowed by the server's policy" : '' };
  }

  /** The rules that hold for a user in a namespace. Without RBAC: everything. */
  rules(user: Identity, namespace: string): { readonly rules: readonly PolicyRule[]; readonly faults: string } {
    if (this.#options.authorization !== 'rbac') return { rules: EVERYTHING, faults: '' };
    return rulesFor(this.#objects, user, namespace);
  }
}

const GROUP = 'rbac.authorization.k8s.io';

function boundRole(binding: KubeObject): { readonly resource: string; readonly name: string } {
  const [kind, name] = [at(binding, 'roleRef', 'kind'), at(binding, 'roleRef', 'name')];
  return { resource: kind === 'Role' ? 'roles' : 'clusterroles', name: typeof name === 'string' ? name : '' };
}

function roleNamespace(resource: string, namespace: string): string {
  return resource === 'roles' ? namespace : '';
}

/** Nothing but what the garbage collector changes is different: owners and finalizers. */
function isSameGrant(written: KubeObject, before: KubeObject): boolean {
  const bare = ({ metadata, ...rest }: KubeObject): KubeObject => {
    const { ownerReferences: _owners, finalizers: _finalizers, managedFields: _managers, ...kept } = metadata;
    return { ...rest, metadata: without(kept, 'resourceVersion') } as KubeObject;
  };
  return equalJson(bare(written), bare(before));
}

const ALL = ['*'];
const EVERYTHING: readonly PolicyRule[] = [
  { verbs: ALL, apiGroups: ALL, resources: ALL, resourceNames: [], nonResourceURLs: [] },
  { verbs: ALL, apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: ALL },
];

/** 403 in the words of the real server. */
export function refusal(user: Identity, access: Access, reason: string): StatusError {
  const quoted = JSON.stringify;
  const why = reason === '' ? '' : `: ${reason}`;
  if (access.path !== undefined) {
    const message = `forbidden: User ${quoted(user.name)} cannot ${access.verb} path ${quoted(access.path)}${why}`;
    return new StatusError(403, 'Forbidden', message, {});
  }
  const { verb, group, resource, subresource, namespace, name } = access;
  const plural = subresource === '' ? resource : `${resource}/${subresource}`;
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace ${quoted(namespace)}`;
  const what = `User ${quoted(user.name)} cannot ${verb} resource ${quoted(plural)} in API group ${quoted(group)} ${where}`;
  return forbidden({ group, kind: resource, name }, `${what}${why}`);
}
