// What upgrade failures that were reported from the field must come to: nothing is begun that cannot be done, what was begun
// can be left, and what is said is so. The procedures are those of the cases that the explorer finds.
import { exploreCatalog } from '@pawl/testkit';
import { afterEach, expect, test } from 'vitest';
import { allCases } from './cases/all.ts';
import { renaming } from './cases/impossible.ts';
import { Lab, releaseOf } from './cases/lab.ts';
import type { Case } from './cases/shared.ts';

let lab: Lab;
afterEach(() => lab.close());

function caseOf(report: string): Case {
  const found = allCases.find(({ reported }) => reported.includes(report));
  if (found === undefined) throw new Error(`no case of ${report}`);
  return found;
}

/** 2.0.0 is refused for a reason, again and again, and 1.0.0 goes on. */
async function isHeldAt1(reason: string): Promise<void> {
  await lab.says('UpgradeBlocked', reason);
  await lab.run(60_000);
  const { procedure } = await lab.status();
  expect(procedure).toMatchObject({ phase: 'Steady', version: '1.0.0', record: { applied: [{ version: '1.0.0', state: 'Complete' }] } });
  expect(procedure?.record?.target).toBeUndefined();
}

const refusals = async (of: Case): Promise<readonly string[]> =>
  (await lab.plan(of.faulty, '2.0.0')).changes.flatMap(({ target, refused }) => (refused === undefined ? [] : [`${target}: ${refused}`]));

test('a selector that nobody may change: the upgrade is refused before anything is begun, and the plan names the field', async () => {
  const report = caseOf('opendatahub-operator 746');
  lab = await Lab.at('1.0.0', releaseOf(report.faulty, '1.0.0'));
  const mark = lab.mark();
  await lab.start(report.faulty);
  await isHeldAt1('ImmutableFieldChange');
  expect(lab.childWrites(mark)).toEqual([]);
  expect(await refusals(report)).toEqual([expect.stringMatching(/^Deployment default\/web: .*spec\.selector.*field is immutable/s)]);
  const { failures } = await exploreCatalog(report.faulty, { ...report.options, modes: ['upgrade'], mostFailures: 1 });
  expect(failures[0]?.violations[0]?.says).toMatch(/; ImmutableFieldChange: 2\.0\.0 would change .* Deployment default\/web: .*spec\.selector/);
});

test('claims of a set that must be larger: refused without a strategy; with one, members and claims stay the same', async () => {
  const report = caseOf('keycloak 40890');
  lab = await Lab.at('1.0.0', releaseOf(report.faulty, '1.0.0'), { replicas: 3 });
  const before = { pods: await lab.uids('v1', 'Pod'), claims: await lab.uids('v1', 'PersistentVolumeClaim'), sets: await lab.uids('apps/v1', 'StatefulSet') };
  expect([before.pods.length, before.claims.length]).toEqual([3, 3]);
  const mark = lab.mark();
  const blocked = await lab.start(report.faulty);
  await isHeldAt1('ImmutableFieldChange');
  expect(lab.childWrites(mark)).toEqual([]);
  await lab.stop(blocked);
  await lab.start(report.repaired);
  await lab.reaches('2.0.0');
  expect(await lab.uids('v1', 'Pod')).toEqual(before.pods);
  expect(await lab.uids('v1', 'PersistentVolumeClaim')).toEqual(before.claims);
  expect(await lab.uids('apps/v1', 'StatefulSet')).not.toEqual(before.sets);
});

test('a version that fails for ever is superseded by the one that accepts it half applied, and the history says so', async () => {
  const report = caseOf('kudo 1764');
  lab = await Lab.at('1.0.0', releaseOf(report.faulty, '1.0.0'));
  const stuck = await lab.start(releaseOf(report.faulty, '2.0.0'));
  await lab.until('it is half way', async () => (await lab.status()).procedure?.target === '2.0.0' && (await lab.status()).actions?.some(({ status }) => status !== 'True') === true);
  await lab.stop(stuck);
  const still = await lab.start(report.faulty);
  await lab.run(60_000);
  expect((await lab.status()).procedure?.record).toMatchObject({ target: '2.0.0' });
  await lab.stop(still);
  await lab.start(report.repaired);
  await lab.reaches('2.0.1');
  const { history = [] } = (await lab.status()).procedure ?? {};
  expect(history.map(({ version, result }) => `${version} ${result}`)).toEqual(expect.arrayContaining(['1.0.0 Completed', '2.0.0 Superseded', '2.0.1 Completed']));
});

test('Actions that a version renames half way are run, and what the status says of others is forgotten', async () => {
  lab = await Lab.at('1.0.0', releaseOf(renaming, '1.0.0'), { size: 1 });
  const names = async (): Promise<readonly string[]> => ((await lab.status()).actions ?? []).map(({ name }) => name).toSorted();
  expect(await names()).toEqual(['Deployed', 'Prepared']);
  const half = await lab.start(releaseOf(renaming, '2.0.0'));
  await lab.until('it waits half way', async () => (await lab.status()).actions?.some(({ name, status }) => name === 'Migrated' && status !== 'True') === true);
  expect(await names()).toEqual(['Migrated', 'Prepared', 'RolledOut']);
  await lab.stop(half);
  await lab.start(renaming);
  await lab.reaches('2.0.1');
  expect(await names()).toEqual(['Converted', 'Prepared', 'RolledOut']);
});

test('an upgrade that is taken back when one of three members has it: all go back, and the phase is left', async () => {
  const report = caseOf('tidb-operator 5204');
  lab = await Lab.at('1.0.0', releaseOf(report.repaired, '1.0.0'));
  const images = async (): Promise<readonly unknown[]> => (await lab.list('v1', 'ConfigMap')).map((object) => (object as { readonly data?: { readonly image?: string } }).data?.image);
  await lab.edit({ size: 1 });
  await lab.start(report.repaired);
  await lab.until('the first member has it', async () => (await images()).includes('web:2'));
  await lab.run(60_000);
  expect(await images()).toEqual(['web:2', 'web:1', 'web:1']);
  await lab.ask('rollback', '1.0.0');
  await lab.reaches('1.0.0');
  expect(await images()).toEqual(['web:1', 'web:1', 'web:1']);
  expect((await lab.status()).procedure?.target).toBeUndefined();
});

test('a deletion that admission refuses twice is tried until the object is gone, and the upgrade is not complete before', async () => {
  const report = caseOf('tektoncd/operator 374');
  const denied: { readonly name: string; readonly version: string | undefined; readonly record: unknown }[] = [];
  lab = await Lab.at('1.0.0', releaseOf(report.repaired, '1.0.0'), {}, {
    send: async ({ body }) => {
      const { uid, name } = body['request'] as { readonly uid: string; readonly name: string };
      const allowed = denied.length >= 2;
      const { procedure } = await lab.status();
      if (!allowed) denied.push({ name, version: procedure?.version, record: procedure?.record });
      const { apiVersion, kind } = body;
      return { status: 200, text: JSON.stringify({ apiVersion, kind, response: { uid, allowed } }) };
    },
  });
  await lab.client.create(
    { apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingWebhookConfiguration' },
    {
      metadata: { name: 'careful' },
      webhooks: [
        {
          name: 'careful.test.dev',
          clientConfig: { url: 'https://hooks.test/careful' },
          rules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['DELETE'] }],
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
        },
      ],
    },
  );
  await lab.start(report.repaired);
  const early: unknown[] = [];
  await lab.until('it is at 2.0.0 and the budget is gone', async () => {
    const { procedure } = await lab.status();
    const isThere = (await lab.list('v1', 'ConfigMap')).some(({ metadata }) => metadata.name === 'budget');
    if (isThere && procedure?.version === '2.0.0') early.push(procedure);
    return !isThere && procedure?.version === '2.0.0';
  });
  expect(early).toEqual([]);
  const record = { target: '2.0.0', applied: [{ version: '1.0.0' }, { version: '2.0.0', state: 'Partial' }], scope: [{ kind: 'ConfigMap' }] };
  expect(denied).toMatchObject([{ name: 'budget', version: '1.0.0', record }, { name: 'budget', version: '1.0.0', record }]);
  expect(await lab.events('ObjectPruned')).toEqual(['ObjectPruned: ConfigMap default/budget is no longer wanted and was deleted']);
});

test('a schema that drops the record: the first write shows it, one Event says so, and no child is written', async () => {
  const report = caseOf('splunk-operator 463');
  lab = await Lab.with(report.faulty);
  await lab.start(report.faulty);
  await lab.run(30_000);
  expect(lab.childWrites(0)).toEqual([]);
  expect(await lab.list('v1', 'ConfigMap')).toEqual([]);
  expect(await lab.events('RecordNotPersisted')).toHaveLength(1);
});

test('a stored version that is dropped too early: the upgrade is refused before anything is begun, and the plan names it', async () => {
  const report = caseOf('cluster-api 6691');
  lab = await Lab.at('1.0.0', releaseOf(report.faulty, '1.0.0'));
  const mark = lab.mark();
  const blocked = await lab.start(report.faulty);
  await isHeldAt1('PreflightFailed');
  expect(lab.childWrites(mark)).toEqual([]);
  expect(await refusals(report)).toEqual([expect.stringMatching(/^CustomResourceDefinition gadgets\.cases\.pawl\.dev: .*storedVersions.*v1alpha1/s)]);
  await lab.stop(blocked);
  await lab.start(report.repaired);
  await lab.reaches('2.0.0');
});

test('an operator with another Lease leaves an object alone for as long as the first one lives', async () => {
  const { repaired } = caseOf('tektoncd/operator 374');
  lab = await Lab.with(repaired);
  const first = await lab.start(releaseOf(repaired, '1.0.0'), { leaseNamespace: 'default' });
  await lab.reaches('1.0.0');
  await lab.start(repaired, { operatorName: 'other', leaseNamespace: 'default' });
  await lab.run(60_000);
  expect((await lab.list('coordination.k8s.io/v1', 'Lease')).map(({ metadata }) => metadata.name).toSorted()).toEqual(['pawl-lab', 'pawl-other']);
  expect(lab.writesOf('other')).toEqual([]);
  expect((await lab.status()).procedure).toMatchObject({ phase: 'Steady', version: '1.0.0' });
  await lab.stop(first);
  await lab.reaches('2.0.0');
});
