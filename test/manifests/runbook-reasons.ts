// What people need to know at night about each reason why an object, or its next version, stands still.
import type { Reason } from '@pawl/reconciler';

/** One section of the runbook. */
export interface Entry {
  /** What it means, and what it does not mean. */
  readonly what: string;
  /** What to do, step by step; none: nothing. */
  readonly act: readonly string[];
}

const ROLL_FORWARD = 'Deploy the release that the message names, or a newer one. `pawl explain KIND/NAME` shows what is recorded.';
const NOTHING: readonly string[] = [];

/** Every reason: a new one is a compile error here. */
export const REASONS: Readonly<Record<Reason, Entry>> = {
  RecordTooNew: {
    what: 'A newer release wrote a record that this one cannot read. Nothing of the object is changed, nothing is lost.',
    act: ['Deploy the release that wrote it, or a newer one. Going back with the operator comes after going back with the objects.'],
  },
  RecordAmbiguous: {
    what: 'Somebody or something other than the operator changed `status.procedure.record`: a version in it is none.',
    act: [
      'Look who wrote it: `kubectl get KIND NAME -o yaml --show-managed-fields`.',
      'Restore the record from the annotation `procedures.pawl.dev/record` of the object, or from a backup, with `kubectl edit --subresource=status`.',
      'Keep tools that write whole objects, such as restores, away from `status`.',
    ],
  },
  RecordNotPersisted: {
    what: 'The CustomResourceDefinition in the cluster is older than the operator, and the API server dropped a field of the record. All objects of the kind stand still until it is right.',
    act: ['Apply the definitions of this release: `pawl manifests --only crds`, then `kubectl apply --server-side -f -`.', 'Do not go back to an older definition later: definitions roll forward only.'],
  },
  RestoreDetected: {
    what: 'The object has a record that belongs to an object with another uid: it came back from a backup. Because its procedures own data, nobody decides for you that what is in the cluster now belongs to it.',
    act: [
      'Look at the data: are volumes, claims and workloads those that the backup belongs to?',
      'If so, run the command in the message. If not, restore the data first, or delete the object and create it anew.',
    ],
  },
  Paused: {
    what: 'Somebody set `spec.procedure.paused`. Nothing is changed for the object, not even repaired.',
    act: ['`pawl resume KIND/NAME`, or remove the field where the object is kept, such as in git.'],
  },
  PinnedVersionUnknown: {
    what: '`spec.procedure.version` names a version, or a range, that the running release does not carry.',
    act: ['`pawl versions` lists what it carries. Correct the field, or deploy a release that carries the version.'],
  },
  NothingInstallable: {
    what: 'A new object finds no version that may be installed: each is excluded by the pin, withdrawn, or avoided after a rollback.',
    act: ['`pawl explain KIND/NAME` says for each version why not.', 'Widen the pin, deploy another release, or run the command in the message.'],
  },
  HeldBack: {
    what: 'The object works and is repaired as ever; a pin, a rollback request or an earlier rollback keeps it from a newer version. Usually that is what somebody wants.',
    act: ['Ask who set it before you end it, as the message says.'],
  },
  HeldByAction: {
    what: 'An Action is in the middle of something that must not be interrupted by a change of version.',
    act: ['Wait. If it lasts, look at the Action in `status.actions`.'],
  },
  Avoided: {
    what: 'After a rollback only versions are left that the rollback excluded.',
    act: ['If the cause of the rollback is repaired, run the command in the message; else deploy a release with another version.'],
  },
  AdoptRefused: {
    what: 'Somebody asked that a version takes over what no author declared, and it would be behind a point of no return or lose what is there.',
    act: ['Choose a version that is at least as new as what is recorded, or deploy a release that carries one.', 'Remove the annotation `procedures.pawl.dev/adopt`.'],
  },
  NoPathToNewest: {
    what: 'The object works; the newest version of this release does not accept the version that it is at, and no version leads there.',
    act: ['Deploy a release that still carries the versions between, let the objects pass them, then deploy this one again. `pawl versions` shows who is where.'],
  },
  DowngradeRefused: {
    what: 'The operator is older than what drives the object. It changes nothing: it does not know what the newer one made.',
    act: [ROLL_FORWARD, 'To go back on purpose: `pawl rollback` with the newer release first, the older release afterwards.'],
  },
  RollbackNotRequested: {
    what: 'The operator is older, and the newer version would let it act, but nobody asked to go back: perhaps the wrong image was deployed.',
    act: ['If the image is wrong, correct it. If going back is meant, run the command in the message.'],
  },
  RollbackNotPermitted: {
    what: 'Somebody asked to go back to a version that may not act on what is there, often because the point of no return has been passed. The object stays where it is and works.',
    act: ['Remove the annotation `procedures.pawl.dev/rollback`.', 'If the state must be given up, restore from a backup; that is not a rollback.'],
  },
  RollbackUnfinished: {
    what: 'A rollback was begun and the running release can neither end it nor does anything supersede it.',
    act: ['Deploy the release that the message names and let it end the rollback.', 'Or turn round with the command in the message, if forward is right after all.'],
  },
  RequestNotUnderstood: {
    what: 'An annotation by which somebody asked for something holds no version. It is ignored.',
    act: ['Correct or remove it. The commands `pawl rollback`, `pawl approve` and `pawl adopt` write it correctly.'],
  },
  Stranded: {
    what: 'No version of this release accepts the version that the object is at: a release in between was left out, or the version was dropped too early.',
    act: ['Deploy a release that carries the version, as the message says.', 'Before you drop a version: `pawl can-drop VERSION`.', 'Only if you know what the old version left: the `adopt` command in the message.'],
  },
  StrandedMidUpgrade: {
    what: 'A change of version was interrupted by a release that can neither finish nor supersede it.',
    act: ['Deploy the release that began it; it goes on where it was.', 'Only if you know what both versions left: the `adopt` command in the message.'],
  },
  DeletionBlocked: {
    what: 'The object is being deleted, and the running release does not know how to take down what a version of it made.',
    act: [
      'Deploy the release that the message names; the deletion goes on by itself.',
      'If it is lost, the command in the message deletes everything that carries the label of the object, and nothing outside of the cluster.',
      'Do not remove the finalizer by hand: what the object owns would stay behind without an owner.',
    ],
  },
  Settling: {
    what: 'A former leader was not seen to stop. Its last requests may still arrive; nothing irreversible is done before they cannot any more. It takes less than two minutes.',
    act: NOTHING,
  },
  Soaking: {
    what: 'The new version runs and can still be rolled back. After 24 hours (or what the procedure says) it passes its point of no return by itself.',
    act: ['Nothing; or `pawl approve` to go on now, or `pawl rollback` while it is possible.'],
  },
  Gone: { what: 'The object is being deleted and nothing is left of it to do.', act: NOTHING },
  ApprovalRequired: {
    what: 'The object or the operator is set to `policy: Manual`: a new version waits for a person.',
    act: ['`pawl plan KIND/NAME` shows what would change; `pawl approve KIND/NAME --to VERSION` lets it begin.'],
  },
  PreconditionNotMet: {
    what: 'A check of the new version, made before anything is changed, is not True. The object stays at its version and works.',
    act: ['`pawl explain KIND/NAME` names the check and what it says.'],
  },
  NotSettled: {
    what: 'The new version begins only when the old one has established the newest spec, and it has not yet.',
    act: ['If it lasts: look in `status.actions` for what is not True at the old version.'],
  },
  PreflightFailed: {
    what: 'Everything that the new version would do first was tried as a dry run, and the API server refused something: a policy, a webhook, a quota or a field. Nothing was begun.',
    act: ['`pawl plan KIND/NAME` shows which change is refused, and why.', 'Repair that, or deploy a release without it. It is tried again every ten minutes, and at once when the spec changes.'],
  },
  ImmutableFieldChange: {
    what: 'The new version would change a field that cannot be changed in place, and its author did not say that the object may be replaced. Nothing was begun.',
    act: ['Tell the author of the package: the Action must declare `immutable`, or keep the field.', 'Until then pin the old version: `spec.procedure.version`.'],
  },
  ParentSkew: {
    what: 'The object belongs to another one, and follows it: the parent has not got as far as to let its children go on.',
    act: ['Look at the parent: `pawl explain` on it says what it waits for.'],
  },
  WaitingForSlot: {
    what: 'Only a share of the objects (5 %, at least one) is moved to another version at the same time, and the others are on their way.',
    act: ['Nothing. To go faster, raise `maxOpenPercent`.'],
  },
  FleetHalted: {
    what: 'Several objects (three) made no progress on their way to the new version, so no other one begins. Those that have not begun work as before.',
    act: [
      'Look at the stalled ones first: `kubectl get KIND -A` shows them with the status `Stalled`; `pawl explain` says why.',
      'If the release is at fault: `pawl rollback` for those, and deploy the release before it afterwards.',
      'If one is a special case: pause it with `pawl pause`, and the others go on.',
    ],
  },
  ManagedElsewhere: {
    what: 'The record of the object names the Lease of another installation, and its holder is alive: two operators would work on the same object. This one writes nothing.',
    act: [
      'Decide which installation drives it; separate them by `namespaces`, or stop one.',
      'After the other one is stopped, this one takes over when the Lease of the other has run out.',
    ],
  },
};
