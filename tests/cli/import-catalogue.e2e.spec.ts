// The catalogue of a RevenueCat project copied at a terminal: dry run, confirmed run, and a repeat, with and without a running service.
import { expect } from 'chai';
import { PROJECT, startFakeRevenueCat, V1_KEY, V2_KEY } from '../fixtures/revenuecat/fake-revenuecat.js';
import { BUNDLE_ID, MONTHLY, startHarness, setUpProject, type Slice } from '../http/support/harness.js';
import { subledger } from './command-line.js';

type Fake = Awaited<ReturnType<typeof startFakeRevenueCat>>;

/** Two stores with keys, products of both, one entitlement that exists here and one that does not, and an offering of each package kind. */
function fillCatalogue({ lists }: Fake): void {
  lists.set('/apps', [
    { id: 'app1', name: 'Their iOS', type: 'app_store', app_store: { bundle_id: BUNDLE_ID } },
    { id: 'app2', name: 'Android', type: 'play_store', play_store: { package_name: 'com.example.app' } },
    { id: 'app3', name: 'Web', type: 'stripe', stripe: {} },
  ]);
  lists.set('/apps/app1/public_api_keys', [
    { id: 'k1', key: 'appl_Abcdefgh', environment: 'production' },
    { id: 'k2', key: 'test_Abcdefgh', environment: 'sandbox' },
  ]);
  lists.set('/apps/app2/public_api_keys', [{ id: 'k3', key: 'goog_Abcdefgh', environment: 'production' }]);
  const product = (id: string, app_id: string, store_identifier: string, more: object = {}) => ({
    ...{ id, app_id, store_identifier, type: 'subscription', display_name: `Name of ${id}` },
    subscription: { duration: 'P1M', trial_duration: 'P1W', grace_period_duration: null },
    ...more,
  });
  lists.set('/products', [
    product('p1', 'app1', MONTHLY),
    product('p2', 'app2', 'pro:monthly'),
    product('p3', 'app2', 'pro', { display_name: null }),
    product('p4', 'app1', 'com.example.life', {
      type: 'one_time',
      one_time: { is_consumable: false },
      subscription: null,
    }),
    product('p5', 'app3', 'web'),
    product('p6', 'app1', 'not a name'),
  ]);
  lists.set('/entitlements', [
    { id: 'e1', lookup_key: 'pro', display_name: 'Their Pro' },
    { id: 'e2', lookup_key: 'gold', display_name: 'Gold' },
    { id: 'e3', lookup_key: 'with space', display_name: 'Space' },
  ]);
  lists.set(
    '/entitlements/e1/products',
    ['p1', 'p2'].map((id) => ({ id })),
  );
  lists.set(
    '/entitlements/e2/products',
    ['p4', 'p5', 'p1'].map((id) => ({ id })),
  );
  lists.set('/offerings', [
    { id: 'o1', lookup_key: 'sale', display_name: 'Sale', is_current: false, metadata: null },
    { id: 'o2', lookup_key: 'default', display_name: 'Default', is_current: true, metadata: { color: 'red' } },
  ]);
  lists.set('/offerings/o1/packages', [{ id: 'g3', lookup_key: 'odd', display_name: 'Odd', position: null }]);
  lists.set('/offerings/o2/packages', [
    { id: 'g1', lookup_key: '$rc_monthly', display_name: 'Monthly', position: 1 },
    { id: 'g2', lookup_key: '$rc_unknown', display_name: 'Unknown', position: 2 },
  ]);
  const offered = (id: string, eligibility_criteria: string) => ({ id, product: { id }, eligibility_criteria });
  lists.set('/packages/g1/products', [
    offered('p3', 'google_sdk_lt_6'),
    offered('p2', 'google_sdk_ge_6'),
    offered('p1', 'all'),
  ]);
  lists.set('/packages/g3/products', [offered('p4', 'all')]);
}

describe('import catalogue', function () {
  this.timeout(180_000);
  let fake: Fake;
  let harness: Awaited<ReturnType<typeof startHarness>>;
  let slice: Slice;
  before(async () => {
    fake = await startFakeRevenueCat();
    fillCatalogue(fake);
    harness = await startHarness();
    slice = await setUpProject(harness);
    await harness.service().idle();
  });
  after(async () => {
    await harness.stop();
    await fake.stop();
  });

  const run = (args: readonly string[] = [], more: Record<string, string> = {}) => {
    const own = { REVENUECAT_API_URL: fake.url, REVENUECAT_API_KEY: V2_KEY, REVENUECAT_PROJECT_ID: PROJECT };
    const env = { DATA_DIR: harness.dataDir, ...own, ...more };
    return subledger(['import', 'catalogue', '--project', slice.projectId, ...args], env);
  };
  const plan = async (...args: string[]) => {
    const { code, stdout, stderr } = await run([...args, '--json']);
    expect(code, stderr).to.equal(0);
    return JSON.parse(stdout);
  };
  const list = async (path: string) => {
    await harness.service().idle();
    const { body } = await harness.call('GET', `/v1/projects/${slice.projectId}${path}`, undefined, {
      token: slice.token,
    });
    return body.items;
  };
  const named = (objects: readonly { kind: string; name: string; action: string }[], action: string) =>
    objects.filter((o) => o.action === action).map((o) => `${o.kind} ${o.name}`);

  it('plans without changing anything, and names what it leaves and what it skips', async () => {
    const dry = await plan();
    expect(dry).to.include({ isDryRun: true, created: 0 });
    expect(dry.otherApps).to.deep.equal([{ name: 'Web', store: 'stripe' }]);
    expect(named(dry.objects, 'exists')).to.deep.equal([
      `app Their iOS (${BUNDLE_ID})`,
      `product ${MONTHLY} of Their iOS`,
      'entitlement pro',
      `entitlementProduct ${MONTHLY} in pro`,
    ]);
    expect(named(dry.objects, 'skip')).to.deep.equal([
      'product web',
      'product not a name of Their iOS',
      'entitlementProduct web in gold',
      'entitlement with space',
      'packageProduct pro in $monthly in default',
      'package $rc_unknown in default',
    ]);
    const [app] = dry.objects;
    expect(app.reason).to.equal('left as it is: its name is iOS here and Their iOS there');
    expect(await list('/offerings')).to.deep.equal([]);
    expect((await list('/apps')).length).to.equal(1);
    const { stdout } = await run();
    expect(stdout).to.contain(`To create them, add: --confirm ${dry.digest}\n`);
    expect(stdout).to.contain('SKIPPED app Web: Subledger does not serve stripe\n');
  });

  it('refuses another plan than the confirmed one', async () => {
    const { code, stdout, stderr } = await run(['--confirm', '0123456789abcdef']);
    expect([code, stdout]).to.deep.equal([1, '']);
    expect(stderr).to.contain('the plan has changed since the dry run; run again without --confirm');
  });

  it('creates what is new, once, and leaves what existed', async () => {
    const { digest, objects } = await plan();
    const done = await plan('--confirm', digest);
    expect(done).to.deep.include({ isDryRun: false, failed: [], created: named(objects, 'create').length });
    const apps = await list('/apps');
    expect(apps.map((a: { name: string }) => a.name)).to.have.members(['iOS', 'Android']);
    const products = await list('/products');
    const shown = products.map((p: Record<string, string>) => [
      p['storeProductId'],
      p['type'],
      p['displayName'],
      p['duration'],
    ]);
    expect(shown).to.have.deep.members([
      [MONTHLY, 'subscription', 'Pro', 'P1M'],
      ['pro:monthly', 'subscription', 'Name of p2', 'P1M'],
      ['pro', 'subscription', 'pro', 'P1M'],
      ['com.example.life', 'non_consumable', 'Name of p4', null],
    ]);
    const idOf = (name: string) => products.find((p: { storeProductId: string }) => p.storeProductId === name)?.id;
    const entitlements = await list('/entitlements');
    expect(entitlements.map((e: { displayName: string }) => e.displayName)).to.have.members(['Pro', 'Gold']);
    const unlocking = async (key: string) =>
      (await list(`/entitlements/${key}/products`)).map((p: { id: string }) => p.id);
    expect(await unlocking('pro')).to.have.members([idOf(MONTHLY), idOf('pro:monthly')]);
    expect(await unlocking('gold')).to.have.members([idOf(MONTHLY), idOf('com.example.life')]);
    const offerings = await list('/offerings?expand=packages');
    const current = offerings.find((o: { isCurrent: boolean }) => o.isCurrent);
    expect(current).to.deep.include({ lookupKey: 'default', displayName: 'Default', metadata: { color: 'red' } });
    const [monthly, ...others] = current.packages.items ?? current.packages;
    expect(others).to.deep.equal([]);
    expect(monthly).to.include({ lookupKey: '$monthly', displayName: 'Monthly' });
    expect(JSON.stringify(monthly))
      .to.contain(idOf('pro:monthly'))
      .and.to.contain(idOf(MONTHLY))
      .and.not.to.contain(idOf('pro'));
    const keys = (await list('/api-keys')).map((k: { keyPreview: string }) => k.keyPreview);
    expect(keys).to.include.members(['appl_…efgh', 'goog_…efgh']);
    const again = await plan();
    expect(named(again.objects, 'create')).to.deep.equal([]);
    const repeated = await plan('--confirm', again.digest);
    expect(repeated.created).to.equal(0);
    expect((await list('/products')).length).to.equal(4);
  });

  it('needs a key of API v2 and the project', async () => {
    const wrong = await run([], { REVENUECAT_API_KEY: V1_KEY });
    expect(wrong.code).to.equal(1);
    expect(wrong.stderr).to.match(/must be a secret key of API v2 with read permissions for project configuration/);
    const without = await run([], { REVENUECAT_PROJECT_ID: '' });
    expect(without.stderr).to.contain('REVENUECAT_PROJECT_ID is not set');
  });

  it('works on the data of a stopped service', async () => {
    fake.lists.set('/offerings', [
      ...(fake.lists.get('/offerings') ?? []),
      { id: 'o3', lookup_key: 'late', display_name: 'Late', is_current: false, metadata: {} },
    ]);
    await harness.restart(async () => {
      const { digest } = await plan();
      expect(await plan('--confirm', digest)).to.deep.include({ created: 1, failed: [] });
    });
    expect((await list('/offerings')).map((o: { lookupKey: string }) => o.lookupKey)).to.include('late');
  });
});
