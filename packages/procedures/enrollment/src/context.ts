// The author's functions, for Enrollments.
import { proceduresFor } from '@pawl/reconciler';
import type { KubernetesContext } from '@pawl/reconciler/kubernetes';
import type { Enrollment } from './api.ts';

export type Context = KubernetesContext<Enrollment>;
export const { defineAction, replaceAction, defineProcedure, deriveProcedure } = proceduresFor<Context>();
