import { expect, test } from 'vitest';
import { refusalText } from './refusal-text.ts';

const text = (refused: string): string => refusalText({ action: 'Served', target: 'Deployment shop/web', refused });

test('the field and the rule stay, the values go', () => {
  expect(
    text(
      'Invalid: Deployment.apps "web" is invalid: spec.selector: Invalid value: v1.LabelSelector{MatchLabels:map[string]string{"app":"web"}, MatchExpressions:[]v1.LabelSelectorRequirement(nil)}: field is immutable',
    ),
  ).toBe(
    'Action Served would change Deployment shop/web: Invalid: Deployment.apps "web" is invalid: spec.selector: Invalid value: field is immutable',
  );
  expect(text('Invalid: Secret "key" is invalid: [data: Invalid value: "pass: \\"word\\"": too long, type: Invalid value: "Opaque": field is immutable]')).toBe(
    'Action Served would change Deployment shop/web: Invalid: Secret "key" is invalid: [data: Invalid value: too long, type: Invalid value: field is immutable]',
  );
  expect(text('Invalid: Pod "a" is invalid: spec.port: Invalid value: 70000: must be between 1 and 65535, inclusive')).toContain(
    'spec.port: Invalid value: must be between 1 and 65535, inclusive',
  );
});

test('a text without values stays as it is; a long one is cut', () => {
  expect(text('Forbidden: exceeded quota: compute')).toBe('Action Served would change Deployment shop/web: Forbidden: exceeded quota: compute');
  expect(text(`Invalid: ${'x'.repeat(400)}`)).toHaveLength('Action Served would change Deployment shop/web: '.length + 240);
});
