// The engine: actions, procedures, cycles, versions. No Kubernetes, no I/O.
export type {
  Access,
  Cluster,
  Declarations,
  External,
  ExternalView,
  Externals,
  Grant,
  Kind,
  Kinds,
  Level,
  LevelOf,
  Resource,
  Verb,
} from './access.ts';
export type {
  Action,
  Declared,
  Given,
  ImmutableStrategy,
  OnlyForChecks,
  OutputOf,
  Replacement,
  Requires,
  ResultsOf,
  Skippable,
  Stage,
} from './action.ts';
export { canonicalJson, isEqualJson } from './canonical.ts';
export { runCycle, runPreconditions, runTeardown } from './cycle.ts';
export type { ActionOutcome, CycleHost, CycleOptions, CycleResult, ResultMemo } from './cycle.ts';
export { proceduresFor } from './define.ts';
export type { ActionSpec, ForEachSpec, GroupSpec, ProcedureKit } from './define.ts';
export { AccessError, DefinitionError, RetryError, TerminalError } from './errors.ts';
export type { Fault, FaultCode } from './errors.ts';
export { bindExternal, defineExternal } from './external.ts';
export type { BoundExternal, ExternalApi, ExternalSystem, PackageEnvironment } from './external.ts';
export type { Change, Lease } from './lease.ts';
export type { Procedure, ProcedureChanges, ProcedureSpec, Versioning } from './procedure.ts';
export type { Finding, FindingCode, Severity } from './lint/finding.ts';
export { lintCatalog } from './lint/lint.ts';
export type { LintInput } from './lint/lint.ts';
export { formatLock, lockedVersion, mergedVersions, parseLock } from './lint/lock.ts';
export type { LockedKind, LockedVersion, ProceduresLock } from './lint/lock.ts';
export { done, notApplicable, pending, undetermined } from './result.ts';
export type { ActionResult, Done, ItemStatus, NotDone, PendingOptions, Progress, Returned, ValueOf } from './result.ts';
export { seeded, systemClock } from './runtime.ts';
export type { Clock, Logger, MonotonicClock, Random } from './runtime.ts';
export type { Order } from './schedule.ts';
export { historyAfter, isSoaking, timeOf, withBookkeeping } from './versions/bookkeeping.ts';
export type { HistoryEntry, Writer } from './versions/bookkeeping.ts';
export { catalogOf, normalizeCatalog, procedureOf } from './versions/catalog.ts';
export type { NormalizedProcedure, ProcedureDeclaration, VersionCatalog } from './versions/catalog.ts';
export { decide } from './versions/decide.ts';
export type {
  BlockedVerdict,
  Candidate,
  Decision,
  Explained,
  HoldVerdict,
  RunMode,
  RunVerdict,
  TeardownVerdict,
  Verdict,
} from './versions/decision.ts';
export { contentDigest, shortHash } from './versions/digest.ts';
export { effectiveRecord } from './versions/effective-record.ts';
export type { EffectiveRecord } from './versions/effective-record.ts';
export { parseSettings, REQUEST_NAMES } from './versions/inputs.ts';
export type {
  DecisionFacts,
  DecisionInput,
  GateReason,
  Need,
  ParentState,
  ProcedureSettings,
  Reason,
  RequestName,
  Requests,
} from './versions/inputs.ts';
export { nextStep } from './versions/next-step.ts';
export { formatMirror, parseMirror, parseRecord } from './versions/parse-record.ts';
export { refusal } from './versions/permission.ts';
export { recordInvariantFaults } from './versions/record-invariants.ts';
export { isOpenRollback, isPlainRecord, mirrorOf, RECORD_FORMAT } from './versions/record.ts';
export type {
  AvoidedVersion,
  RecordEntry,
  RecordHold,
  RecordMirror,
  ScopeEntry,
  VersionRecord,
} from './versions/record.ts';
export { coversScope, uniteScopes } from './versions/scope.ts';
export type {
  ActionsMode,
  CompleteStep,
  CycleReport,
  FinalizeStep,
  HoldStep,
  IntentStep,
  MetadataStep,
  ObjectState,
  ProtocolFacts,
  ProtocolState,
  PruneStep,
  ReportStep,
  RunActionsStep,
  Said,
  Step,
} from './versions/step.ts';
export { compareVersions, highest, isInRange, isVersion, UNKNOWN_VERSION, UNVERSIONED } from './versions/version.ts';
