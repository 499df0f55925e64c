// Keeps exactly one entry in a sink for each member of a source.
import { enrollmentPackage } from './package.ts';

export { Enrollments } from './api.ts';
export type { Enrollment, EnrollmentSpec, EnrollmentStatus, EntryStatus } from './api.ts';
export { enrollmentPackage } from './package.ts';
export type { EnrollmentPackageOptions } from './package.ts';
export { httpPlugin } from './plugins/http-plugin.ts';
export type { HttpPluginParts } from './plugins/http-plugin.ts';
export type {
  Description,
  DestroyReason,
  GroupDescription,
  GroupPlugin,
  InstancePlugin,
  InstanceSpec,
  Plugin,
} from './plugins/spi.ts';

export default enrollmentPackage();
