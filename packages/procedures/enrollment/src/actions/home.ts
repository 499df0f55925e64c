// The name of an Enrollment, as templates and names of entries use it.
import type { Enrollment } from '../api.ts';
import type { Home } from '../delta/member.ts';

export const homeOf = ({ metadata: { name, namespace = '' } }: Enrollment): Home => ({ name, namespace });
