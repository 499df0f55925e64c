// Paths beside the resources: discovery, health, version.
import { notAcceptable, resourceNotServed } from '../errors.ts';
import { freezeJson, type JsonObject } from '../json.ts';
import { jsonResponse, type Core } from '../server/core.ts';
import type { RequestInfo } from '../server/request-info.ts';
import type { ApiRequest, ApiResponse } from '../transport.ts';
import { AGGREGATED_TYPE, aggregatedDiscovery, wantsAggregated } from './aggregated.ts';
import { openapiDocument, openapiIndex } from './openapi.ts';
import { apiGroupList, apiGroup, apiResourceList, apiVersions } from './lists.ts';

const TEXT_HEADERS = Object.freeze({ 'content-type': 'text/plain; charset=utf-8' });

/** What these paths are answered from. */
export interface ServerFacts {
  readonly kubernetesVersion: string;
}

/**
 * Answers a request that is not on a served resource.
 *
 * @throws StatusError 404 below the versions of built-in kinds, which have a router of their own.
 */
export function answerOther(core: Core, request: ApiRequest, { path }: RequestInfo, facts: ServerFacts): ApiResponse {
  const trimmed = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
  if (isBelowBuiltins(core, trimmed)) throw resourceNotServed();
  if (request.method !== 'GET') return pageNotFound();
  if (/^\/(healthz|livez|readyz)(\/|$)/.test(trimmed)) return { status: 200, headers: TEXT_HEADERS, body: 'ok' };
  const accept = request.headers?.['accept'];
  if (wantsAggregated(accept) && (trimmed === '/api' || trimmed === '/apis')) {
    const document = freezeJson(aggregatedDiscovery(core.registry, trimmed === '/api'));
    return { ...jsonResponse(200, document), headers: { 'content-type': AGGREGATED_TYPE } };
  }
  if (trimmed === '/openapi/v2' && accept !== undefined && !/json|\*\/\*/.test(accept)) throw notAcceptable();
  const document = documentAt(core, trimmed, facts.kubernetesVersion);
  return document === undefined ? pageNotFound() : jsonResponse(200, freezeJson(document));
}

function documentAt({ registry }: Core, path: string, kubernetesVersion: string): JsonObject | undefined {
  switch (path) {
    case '/version':
      return versionInfo(kubernetesVersion);
    case '/api':
      return apiVersions();
    case '/apis':
      return apiGroupList(registry);
    case '/openapi/v2':
      return { swagger: '2.0', info: { title: 'Kubernetes', version: kubernetesVersion }, paths: {}, definitions: {} };
    case '/openapi/v3':
      return openapiIndex(registry);
  }
  if (path.startsWith('/openapi/v3/')) return openapiDocument(registry, path.slice('/openapi/v3/'.length));
  const parts = path.split('/').slice(1);
  if (parts[0] === 'api' && parts.length === 2) return apiResourceList(registry, '', parts[1] ?? '');
  if (parts[0] !== 'apis') return undefined;
  if (parts.length === 2) return apiGroup(registry, parts[1] ?? '');
  return parts.length === 3 ? apiResourceList(registry, parts[1] ?? '', parts[2] ?? '') : undefined;
}

function versionInfo(gitVersion: string): JsonObject {
  const [, major = '1', minor = '0'] = /^v(\d+)\.(\d+)/.exec(gitVersion) ?? [];
  return {
    major,
    minor,
    gitVersion,
    gitCommit: '0000000000000000000000000000000000000000',
    gitTreeState: 'clean',
    buildDate: '2026-01-01T00:00:00Z',
    goVersion: 'none',
    compiler: 'none',
    platform: 'linux/amd64',
  };
}

/** Whether a path goes on below a version that has built-in kinds: `/api/v1/` or `/apis/apps/v1/`. */
function isBelowBuiltins({ registry }: Core, path: string): boolean {
  const parts = path.split('/').slice(1);
  const [root, first = '', second = ''] = parts;
  if (root === 'api') return parts.length > 2 && registry.hasBuiltins('', first);
  return root === 'apis' && parts.length > 3 && registry.hasBuiltins(first, second);
}

/** What the path router itself answers where nothing is served. */
function pageNotFound(): ApiResponse {
  return { status: 404, headers: TEXT_HEADERS, body: '404 page not found\n' };
}
