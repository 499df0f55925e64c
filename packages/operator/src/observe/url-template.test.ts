import { expect, test } from 'vitest';
import { urlTemplate } from './url-template.ts';

test.each([
  ['/api/v1/configmaps?limit=500', '/api/v1/configmaps'],
  ['/api/v1/namespaces/shop/configmaps', '/api/v1/namespaces/{namespace}/configmaps'],
  ['/api/v1/namespaces/shop/configmaps/a?fieldManager=x', '/api/v1/namespaces/{namespace}/configmaps/{name}'],
  ['/apis/apps/v1/namespaces/shop/deployments/web/status', '/apis/apps/v1/namespaces/{namespace}/deployments/{name}/status'],
  ['/apis/test.pawl.dev/v1/pages/front', '/apis/test.pawl.dev/v1/pages/{name}'],
  ['/api/v1/namespaces', '/api/v1/namespaces'],
  ['/api/v1/namespaces/shop', '/api/v1/namespaces/{name}'],
  ['/api/v1/namespaces/shop/status', '/api/v1/namespaces/{name}/status'],
  ['/api/v1/namespaces/shop/pods/web-0/proxy/some/deep/path', '/api/v1/namespaces/{namespace}/pods/{name}/proxy'],
  ['/apis/apps/v1', '/apis/apps/v1'],
  ['/apis', '/apis'],
  ['/version?timeout=5s', '/version'],
  ['/openapi/v3/apis/apps/v1?hash=0A', '/openapi'],
  ['/', '/'],
])('%s is counted as %s', (path, template) => {
  expect(urlTemplate(path)).toBe(template);
});
