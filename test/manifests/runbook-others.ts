// What else people meet at night: alerts, conditions, and a process that ends by itself.
import type { Entry } from './runbook-reasons.ts';

/** By the title of the section; its anchor is the title in lower case with dashes. */
export const ALERTS: Readonly<Record<string, Entry>> = {
  'Operator down': {
    what: 'No process of the operator answers Prometheus. Objects keep running; nothing is repaired or changed.',
    act: ['`kubectl get pods -n NAMESPACE` and `kubectl describe pod`: the last state of a container holds its termination message, which says what to do.', 'If the pods run, look at the Service and the ServiceMonitor.'],
  },
  'No leader': {
    what: 'Processes run, but none holds the Lease. After a leader died this is so for up to a minute and a half.',
    act: [
      '`kubectl get lease -n NAMESPACE pawl-NAME -o yaml`: who holds it, and is it renewed?',
      'Replicas that are held back (see [RolloutHeld](#rolloutheld)) do not seek the Lease.',
      'If the Lease cannot be written, check the role of the account: `pawl manifests --only rbac`.',
    ],
  },
  'Two leaders': {
    what: 'Two processes say that they lead. Each change is guarded by the time of the last renewal, so that both cannot write; more likely the name of the operator is used twice.',
    act: ['Compare `operatorName` and `leaseNamespace` of all installations: two of them must not reconcile the same objects.', 'Check the clocks of the nodes for jumps.'],
  },
  Stalled: {
    what: 'Objects make no progress towards a version, or an Action says that it cannot succeed.',
    act: ['`kubectl get KIND -A` shows which; the condition `Stalled` of each says why, by one of the reasons below.'],
  },
  Errors: {
    what: 'Passes over objects end with an error and are tried again, later and later, for ever.',
    act: ['The log of the operator has a line of level `warn` for each, with the object and the error.', '`forbidden`: the role is older than the release. `conflict` now and then is normal.'],
  },
  'Refused mutations': {
    what: 'The last guard in front of the API server stopped a change that should not have got so far. Nothing was written; it is a fault of the operator.',
    act: ['Keep the log and report it. Restarting the process does no harm.'],
  },
  'Slow work': {
    what: 'One pass over an object takes longer than ten minutes.',
    act: ['The log names the object. An Action that waits should return `pending` instead; tell its author.', 'After 15 minutes the process counts as not alive and is restarted.'],
  },
  'API errors': {
    what: 'More than a tenth of the requests to the API server are answered with 429 or 5xx, or not at all.',
    act: ['Look at the API server first. The operator slows down by itself and goes on where it was.'],
  },
};

/** By the reason of a condition, or of a process that is not ready or has ended. */
export const CONDITIONS: Readonly<Record<string, Entry>> = {
  WaitingForOperator: { what: 'No operator has looked at the object yet.', act: ['If it lasts: is the operator running, and does it reconcile this namespace?'] },
  Established: { what: 'Everything is as the spec says.', act: [] },
  AsExpected: { what: 'Nothing is wrong.', act: [] },
  ActionsNotTrue: { what: 'The version is established but for the Action that the message names; it is being repaired.', act: ['If it lasts, the reason of that Action in `status.actions` says more.'] },
  NotVerified: { what: 'The newest spec is applied and is being checked against the cluster.', act: [] },
  PrerequisiteNotMet: { what: 'An Action waits for others; `blockedBy` names the ones at the root.', act: ['Look at those.'] },
  ObservedOnly: { what: 'This release may not act on the object, and only looked.', act: ['The condition `UpgradeBlocked` says why.'] },
  Blocked: { what: 'No version of this release may act on the object. What runs keeps running.', act: ['The condition `UpgradeBlocked` has the reason, and a section here.'] },
  Held: { what: 'Nothing is changed until a person decides.', act: ['The summary says what is to be decided.'] },
  Waiting: { what: 'Something else comes first; the summary or the message of the Action says what.', act: [] },
  Installing: { what: 'A first version is being installed.', act: ['If it lasts, look in `status.actions` for what is not True.'] },
  Upgrading: { what: 'A newer version is being established. It goes on by itself after every interruption.', act: ['If it lasts, look in `status.actions` for what is not True.'] },
  RollingBack: { what: 'The object is on its way back to an older version.', act: ['If it lasts, look in `status.actions` for what is not True. Only another request turns it round.'] },
  TimedOut: { what: 'An Action took longer than it may (`timeoutMs`). Its calls were cut off; it is tried again.', act: ['Look at what it waits for. If it needs longer, its author raises `timeoutMs`.'] },
  CallNotAwaited: { what: 'An Action returned while a call that it made was still under way: a fault of the Action.', act: ['Report it to the author of the package, with the message.'] },
  NoResult: { what: 'An Action returned nothing: a fault of the Action.', act: ['Report it to the author of the package.'] },
  DuplicateKey: { what: 'An Action over several things found two with the same key.', act: ['Two entries of the spec collide: the message names the key. Else report it to the author.'] },
  NoAlternative: { what: 'None of the ways that an Action could go is possible.', act: ['The message says why for each.'] },
  ItemsNotReady: { what: 'An Action over several things is not True for some of them; `items` lists the first ten.', act: ['Look at those.'] },
  Failed: { what: 'An Action ended with an error and is tried again, later and later.', act: ['The message is that of the error. The log has its stack.'] },
  Retrying: { what: 'An Action asked to be tried again soon.', act: ['If it lasts, the message says what it waits for.'] },
  TerminalError: { what: 'An Action says that trying again cannot help: the spec, or something outside, is wrong.', act: ['Correct what the message says. A change of the spec tries again; so does `pawl retry`.'] },
  UpgradeStalled: {
    what: 'A change of version has made no progress for 15 minutes (`progressDeadlineMs`).',
    act: ['The message names the Action that is not True.', 'Repair what it waits for, or go back: `pawl rollback KIND/NAME --to VERSION`.'],
  },
  MigrationInProgress: { what: 'A version is partly applied. Do not replace the operator by a release without it.', act: [] },
  PathPlanned: { what: 'Newer versions wait behind a gate; the message lists the way.', act: ['The condition `UpgradeBlocked` says which gate.'] },
  LimitExceeded: {
    what: 'The new version would delete more of what the old one made than is done without a word.',
    act: ['`pawl plan KIND/NAME` lists it. If it is right, run the command in the message: it releases exactly that set.'],
  },
  ForeignOwner: {
    what: 'An object that an Action wants to make exists already and belongs to somebody else. It is not touched.',
    act: [
      'If it is meant to be taken over, set the label that the message names. Else rename one of the two.',
      'If somebody took an object of ours away, by its owner label and its owner reference, and wants to give it back: the same label. One that lost only the label is labelled again without a word.',
    ],
  },
  Deleting: { what: 'The object is being taken down.', act: ['If it lasts, the summary says which Action of the teardown is not True.'] },
  Quarantined: {
    what: 'An Action has blocked the process twice while it worked on this object: a loop that never ends. The object is left out, and tried again each hour when nothing else is to be done; all others go on.',
    act: [
      'The message names the Action; the termination message and the log of the process name the function and the line.',
      'Change the spec that leads into the loop, or deploy a release in which it is repaired: both end the quarantine. So does `pawl retry KIND/NAME`.',
    ],
  },
  RolloutHeld: {
    what: 'A new release is not ready because objects that are fine now would stand still under it. The pods of the release before go on with their work.',
    act: [
      'The answer of `/readyz`, the log and an Event of the new pod name how many, the first of them and what it needs.',
      'Most often the release leaves out a version, or is older than the objects: deploy one that has it, or go back with the objects first (`pawl rollback`), with the operator second.',
      'To roll out all the same: `--on-stranded warn`.',
    ],
  },
  ProcessBlocked: {
    what: 'An Action did not give the process back for half a minute. The process ended itself with exit code 70 and is started again.',
    act: ['The termination message names Action, object, function and line. Once is forgiven; see [Quarantined](#quarantined).'],
  },
};
