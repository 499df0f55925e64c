// From a request on a resource to the function of its verb.
import { notFound, notImplemented, resourceNotServed } from '../errors.ts';
import { create } from './create.ts';
import { subjectOf, type Call, type Core, type Result } from './core.ts';
import { remove, removeCollection } from './delete.ts';
import { unsupported } from './dispatch-errors.ts';
import { evict } from './eviction.ts';
import { patch } from './patch.ts';
import { get, list } from './read.ts';
import { scale } from './scale.ts';
import { update } from './update.ts';

/** Answers a request on a resource; watches excepted. */
export function dispatch(core: Core, call: Call): Result {
  const { subresource, verb } = call.resource;
  if (subresource !== '') return dispatchSubresource(core, call, subresource);
  if (!call.type.verbs.includes(verb)) throw unsupported(call);
  // Across all namespaces a namespaced resource can only be read.
  const everywhere = call.type.namespaced && call.resource.namespace === '';
  if (everywhere && verb !== 'list') throw unsupported(call);
  switch (verb) {
    case 'get':
      return get(core, call);
    case 'list':
      return list(core, call);
    case 'create':
      // To an object: built-in kinds have no such route; custom resources do not look at the name in the path.
      if (call.resource.name !== '' && !call.type.custom) throw unsupported(call);
      return create(core, call);
    case 'update':
      if (call.resource.name === '') throw unsupported(call);
      return update(core, call, '');
    case 'patch':
      if (call.resource.name === '') throw unsupported(call);
      return patch(core, call, '');
    case 'delete':
      return remove(core, call);
    case 'deletecollection':
      return removeCollection(core, call);
    case 'watch':
      throw unsupported(call);
  }
}

function dispatchSubresource(core: Core, call: Call, subresource: string): Result {
  const { type } = call;
  if (subresource === 'status' && type.status) return wholeObject(core, call, 'status');
  if (subresource === 'finalize' && type.subresources.includes('finalize')) {
    if (call.resource.verb === 'update') return update(core, call, 'finalize');
    throw unsupported(call);
  }
  if (subresource === 'scale' && type.scale !== undefined) return scale(core, call, type.scale);
  if (subresource === 'eviction' && type.subresources.includes('eviction')) {
    if (call.resource.verb === 'create') return evict(core, call);
    throw unsupported(call);
  }
  if (!type.custom && KNOWN_ELSEWHERE.has(subresource))
    throw notImplemented(`the subresource ${type.plural}/${subresource}`);
  // Of a custom resource the server says that the object was not found (as for one that is not there).
  throw type.custom ? notFound(subjectOf(call, call.resource.name)) : resourceNotServed();
}

/** Subresources that a real server has for some built-in kinds and this one has not. */
const KNOWN_ELSEWHERE = new Set([
  'attach',
  'binding',
  'ephemeralcontainers',
  'exec',
  'log',
  'portforward',
  'proxy',
  'resize',
  'token',
  'approval',
]);

function wholeObject(core: Core, call: Call, scope: 'status'): Result {
  switch (call.resource.verb) {
    case 'get':
      return get(core, call);
    case 'update':
      return update(core, call, scope);
    case 'patch':
      return patch(core, call, scope);
    case 'list':
    case 'watch':
    case 'create':
    case 'delete':
    case 'deletecollection':
      throw unsupported(call);
  }
}
