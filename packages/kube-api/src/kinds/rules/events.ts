// Events: they lie in the namespace of what they are about.
import { invalidValue } from '../../causes.ts';
import { at } from '../../json.ts';
import type { Rules } from '../resource-type.ts';

/** Rules of a form of Event that calls what it is about `subject`. */
export function eventRules(subject: 'involvedObject' | 'regarding'): Partial<Rules> {
  return {
    createOnUpdate: true,
    validate: (event) => {
      const about = at(event, subject, 'namespace') ?? '';
      const namespace = event.metadata.namespace ?? '';
      // What has no namespace has its events in the default one.
      if (about === '' ? namespace === 'default' : about === namespace) return [];
      return [invalidValue('involvedObject.namespace', about, 'does not match event.namespace')];
    },
  };
}
