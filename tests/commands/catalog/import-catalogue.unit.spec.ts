// Copies another service's catalogue into a project, cut off at every append, and what the rules of a project refuse.
import { expect } from 'chai';
import { importCatalogue } from '../../../src/commands/catalog/import-catalogue.js';
import { registeredKeyCollection } from '../../../src/commands/projects/registered-keys.js';
import type { ForeignCatalogue } from '../../../src/domain/catalog/foreign-catalogue.js';
import { Rejection } from '../../../src/domain/errors.js';
import { streams } from '../../../src/domain/streams.js';
import { crashingLog, type CrashingLog } from '../support/crashing-log.js';
import { eventsOf } from '../support/memory-deps.js';
import { createProjectFixture } from '../support/project-fixture.js';
import { BUNDLE_ID, MONTHLY } from '../support/store-data.js';

const subscription = { type: 'subscription', duration: 'P1M', trialDuration: null, gracePeriodDuration: null } as const;
const product = (id: string, appId: string, storeProductId: string) => ({
  ...{ id, appId, storeProductId, displayName: id },
  ...subscription,
});
const app = (id: string, storeIdentifier: string, publicKeys: string[] = []) => ({
  ...{ id, name: id, store: 'ios-store' as const, storeIdentifier, publicKeys },
});

const catalogue: ForeignCatalogue = {
  apps: [app('a1', BUNDLE_ID, ['appl_Abcdefgh']), app('a2', 'com.example.other'), app('a3', 'com.example.other')],
  products: [
    product('p1', 'a1', MONTHLY),
    product('p2', 'a2', 'year'),
    product('p3', 'a3', 'year'),
    product('p4', 'a2', 'week'),
    product('p5', 'a3', 'day'),
  ],
  entitlements: [{ lookupKey: 'gold', displayName: 'Gold', productIds: ['p1', 'p3', 'p4', 'p5'] }],
  offerings: [
    { lookupKey: 'second', displayName: 'Second', isCurrent: false, metadata: {}, packages: [] },
    {
      ...{ lookupKey: 'first', displayName: 'First', isCurrent: true, metadata: { big: 'x'.repeat(11_000) } },
      packages: [{ lookupKey: '$annual', displayName: 'Year', position: null, productIds: ['p2', 'p4', 'p1'] }],
    },
  ],
};

async function createFixture() {
  let log: CrashingLog | undefined;
  const fixture = await createProjectFixture({ wrapLog: (inner) => (log = crashingLog(inner)) });
  await fixture.deps.docs.ensure([registeredKeyCollection]);
  if (!log) throw new Error('the log is not wrapped');
  return { ...fixture, log };
}
type Fixture = Awaited<ReturnType<typeof createFixture>>;

const request = ({ projectId }: Fixture, confirm: string | null) => ({ projectId, catalogue, confirm });

/** Plans and executes; returns false if the log was cut off. */
async function attempt(fixture: Fixture): Promise<boolean> {
  const { digest } = await importCatalogue(fixture.deps, request(fixture, null));
  try {
    await importCatalogue(fixture.deps, request(fixture, digest));
    return true;
  } catch (err) {
    if (err instanceof Error && err.message.startsWith('cut ')) return false;
    throw err;
  }
}

/** The project and its catalogue without IDs. */
async function namesIn({ deps, projectId }: Fixture) {
  const project = await deps.projects.get(streams.project(projectId));
  const { products, entitlements, offerings } = await deps.catalogs.get(streams.catalog(projectId));
  const storeNameOf = (id: string) => products.find((p) => p.productId === id)?.storeProductId;
  return {
    apps: project?.apps.map((a) => a.storeIdentifier),
    keys: project?.keys.length,
    products: products.map((p) => p.storeProductId),
    entitlements: entitlements.map((e) => [e.lookupKey, e.productIds.map(storeNameOf)]),
    offerings: offerings.map((o) => [
      ...[o.lookupKey, o.isCurrent],
      o.packages.map((p) => [p.lookupKey, p.products.map((one) => one.storeProductId)]),
    ]),
  };
}

const expected = {
  apps: [BUNDLE_ID, 'com.example.other'],
  keys: 1,
  products: [MONTHLY, 'year', 'week', 'day'],
  entitlements: [
    ['pro', [MONTHLY]],
    ['gold', [MONTHLY, 'year', 'week', 'day']],
  ],
  offerings: [
    ['first', true, [['$annual', ['year', MONTHLY]]]],
    ['second', false, []],
  ],
};

describe('import of a catalogue', () => {
  it('appends nothing in a dry run', async () => {
    const fixture = await createFixture();
    const before = (await eventsOf(fixture.log)).length;
    const { objects, isDryRun } = await importCatalogue(fixture.deps, request(fixture, null));
    expect(isDryRun).to.equal(true);
    expect((await eventsOf(fixture.log)).length).to.equal(before);
    const reasons = objects.flatMap(({ name, reason }) => (reason === null ? [] : [`${name}: ${reason}`]));
    expect(reasons).to.deep.equal([
      `a1 (${BUNDLE_ID}): left as it is: its name is Example here and a1 there`,
      'a3 (com.example.other): the same app is listed twice',
      'year of a3: the same product is listed twice',
      'first: without its metadata, which has more than 10 KiB',
      'week in $annual in first: a package has one product of each app',
    ]);
  });

  it('reaches the same catalogue when it is cut off at any append and run again', async () => {
    const whole = await createFixture();
    whole.log.failAt(0, 'before');
    expect(await attempt(whole)).to.equal(true);
    expect(await namesIn(whole)).to.deep.equal(expected);
    const appends = whole.log.appends();
    expect(appends).to.be.above(10);
    for (let n = 1; n <= appends; n++) {
      for (const moment of ['before', 'after'] as const) {
        const fixture = await createFixture();
        fixture.log.failAt(n, moment);
        expect(await attempt(fixture), `append ${n}`).to.equal(false);
        expect(await attempt(fixture)).to.equal(true);
        expect(await namesIn(fixture), `cut ${moment} append ${n}`).to.deep.equal(expected);
        const { objects } = await importCatalogue(fixture.deps, request(fixture, null));
        expect(objects.filter((o) => o.action === 'create')).to.deep.equal([]);
      }
    }
  });

  it('reports what a rule refuses, and creates the rest', async () => {
    const fixture = await createFixture();
    const { docs, runtime } = fixture.deps;
    const { hash } = await import('node:crypto');
    const claim = { projectId: 'proj_other', claimedAtMs: runtime.now() };
    const id = hash('sha256', 'appl_Abcdefgh');
    await docs.write([[{ c: registeredKeyCollection.name, id, expect: null, guard: '1', doc: claim }]]);
    const { digest } = await importCatalogue(fixture.deps, request(fixture, null));
    const { failed } = await importCatalogue(fixture.deps, request(fixture, digest));
    expect(failed.map(({ kind }) => kind)).to.deep.equal(['publicKey']);
    expect(failed[0]?.reason).to.match(
      /^key: registered by another project; delete it there first\. Where the other app has no purchases/,
    );
    expect(await namesIn(fixture)).to.deep.equal({ ...expected, keys: 0 });
  });

  it('refuses an unknown project', async () => {
    const fixture = await createFixture();
    const refused = await importCatalogue(fixture.deps, { ...request(fixture, null), projectId: 'proj_x' }).catch(
      (err: unknown) => err,
    );
    expect(refused).to.be.instanceOf(Rejection);
  });
});
