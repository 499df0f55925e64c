// What the address of a webhook must look like.
import { invalidValue, required } from '../causes.ts';
import type { Cause } from '../errors.ts';
import { isObject, type Json } from '../json.ts';

/** The causes of a `clientConfig`: exactly one of a URL and a Service, both well formed. */
export function clientConfigCauses(path: string, config: Json | undefined): readonly Cause[] {
  const { url, service } = isObject(config) ? config : {};
  if ((url === undefined) === (service === undefined)) {
    return [required(path, 'exactly one of url or service is required')];
  }
  return url === undefined ? serviceCauses(`${path}.service`, service) : urlCauses(`${path}.url`, url);
}

function urlCauses(path: string, given: Json): readonly Cause[] {
  const text = typeof given === 'string' ? given : '';
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const form = 'desired format: https://host[/path]';
  if (url === undefined) return [required(path, `url must be valid; ${form}`)];
  const causes: Cause[] = [];
  const scheme = url.protocol.slice(0, -1);
  if (scheme !== 'https') causes.push(invalidValue(path, scheme, `'https' is the only allowed URL scheme; ${form}`));
  if (url.host === '') causes.push(invalidValue(path, url.host, `host must be specified; ${form}`));
  const user = url.password === '' ? url.username : `${url.username}:${url.password}`;
  if (user !== '') causes.push(invalidValue(path, user, 'user information is not permitted in the URL'));
  if (url.hash !== '') causes.push(invalidValue(path, url.hash.slice(1), 'fragments are not permitted in the URL'));
  if (url.search !== '') {
    causes.push(invalidValue(path, url.search.slice(1), 'query parameters are not permitted in the URL'));
  }
  return causes;
}

function serviceCauses(path: string, service: Json | undefined): readonly Cause[] {
  const { name = '', namespace = '', port = 443, path: target = '' } = isObject(service) ? service : {};
  const causes: Cause[] = [];
  if (name === '') causes.push(required(`${path}.name`));
  if (namespace === '') causes.push(required(`${path}.namespace`));
  if (typeof port !== 'number' || port < 1 || port > 65_535) {
    causes.push(invalidValue(`${path}.port`, port, 'port is not valid: must be between 1 and 65535, inclusive'));
  }
  if (typeof target === 'string' && target !== '' && !target.startsWith('/')) {
    causes.push(invalidValue(`${path}.path`, target, "must start with a '/'"));
  }
  return causes;
}
