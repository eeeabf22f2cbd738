// Placements and targeting rules over HTTP: writing, order, limits, reading as of an instant, and the preview of what a customer gets.
import { expect } from 'chai';
import { setUpProject, type Slice } from '../support/harness.js';
import { expectRefusal } from '../support/refusal.js';
import { tickingClock } from '../support/manual-clock.js';
import { setUpServiceWithFreshProjects } from '../support/setup.js';

type View = { readonly id: string; readonly name: string; readonly lookupKey: string };
const country = (...values: readonly string[]) => ({ kind: 'country', operator: 'in', values });

describe('targeting', () => {
  const { harness, slice, as } = setUpServiceWithFreshProjects({}, tickingClock());
  const base = () => `/v1/projects/${slice.projectId}`;
  const call = (method: string, path: string, body?: object, by: object = as) =>
    harness.call(method, `${base()}${path}`, body, by);
  const make = async (path: string, body: object) => {
    const { status, body: made } = await call('POST', path, body);
    expect(status, JSON.stringify(made)).to.equal(201);
    return made;
  };
  const rules = async (query = '') => (await call('GET', `/targeting-rules${query}`)).body.items;
  const names = async (query = '') => (await rules(query)).map((r: View) => r.name);
  const preview = async (who: string, query = '', by: object = as) =>
    call('GET', `/customers/${who}/offerings${query}`, undefined, by);
  const register = (who: string, o: object = {}) => harness.call('POST', `/v1/subscribers/${who}`, o, as);
  const setAttribute = (who: string, attributes: object) =>
    harness.call('POST', `/v1/subscribers/${who}/attributes`, { attributes }, as);
  const offered = async (who: string) =>
    (await harness.call('GET', `/v1/subscribers/${who}/offerings`, undefined, { key: slice.publicKey })).body;

  beforeEach(async () => {
    for (const lookupKey of ['standard', 'winter', 'team']) await make('/offerings', { lookupKey, displayName: 'A' });
  });

  it('lists rules in their order, which a change of position moves', async () => {
    for (const name of ['a', 'b', 'c']) await make('/targeting-rules', { name });
    expect(await names()).to.deep.equal(['a', 'b', 'c']);
    const [, , last] = await rules();
    expect((await call('PATCH', `/targeting-rules/${last.id}`, { position: 0 })).body).to.include({ position: 0 });
    expect(await names()).to.deep.equal(['c', 'a', 'b']);
    await make('/targeting-rules', { name: 'd', position: 1 });
    expect(await names()).to.deep.equal(['c', 'd', 'a', 'b']);
    expect((await call('DELETE', `/targeting-rules/${last.id}`)).body).to.include({ deleted: true });
    expect((await rules()).map((r: { position: number }) => r.position)).to.deep.equal([0, 1, 2]);
  });

  it('takes offerings and placements by id or key, and returns ids', async () => {
    const { id: placementId } = await make('/placements', { lookupKey: 'start', displayName: 'Start' });
    const { id: offeringId } = (await call('GET', '/offerings')).body.items.find((o: View) => o.lookupKey === 'winter');
    const placements = [{ placementId: 'start', offeringId: 'winter' }];
    const made = await make('/targeting-rules', { name: 'a', offeringId: 'winter', placements });
    expect(made).to.deep.include({
      offeringId,
      placements: [{ placementId, offeringId }],
      revision: 1,
      isActive: true,
    });
    const { body } = await call('PATCH', `/targeting-rules/${made.id}`, {
      placements: [{ placementId, offeringId: null }],
    });
    expect(body).to.deep.include({ offeringId, placements: [{ placementId, offeringId: null }], revision: 2 });
  });

  it('refuses what no device could meet, names that identify a person, and what is too large', async () => {
    const refused = async (conditions: unknown) =>
      expectRefusal(await call('POST', '/targeting-rules', { name: 'a', conditions: conditions as object[] }), 400);
    const attribute = { kind: 'attribute', operator: 'in', values: ['a'] };
    await refused([country('XX')]);
    await refused([country()]);
    await refused([{ kind: 'country', operator: 'is', values: ['DE'] }]);
    await refused([{ kind: 'app_version', operator: 'below', value: '2.x' }]);
    await refused([{ kind: 'platform', operator: 'in', values: ['windows'] }]);
    await refused([{ kind: 'first_seen', operator: 'before', at: 'yesterday' }]);
    await refused([{ kind: 'weather', value: 'rain' }]);
    for (const name of ['$email', '$phoneNumber', '$ip', '$idfa', '__proto__', 'a b'])
      await refused([{ ...attribute, name }]);
    await refused(Array.from({ length: 11 }, () => country('DE')));
    await refused([
      { ...attribute, name: 'plan', values: Array.from({ length: 20 }, (_, n) => String(n).repeat(300)) },
    ]);
    expect(
      (await call('POST', '/targeting-rules', { name: 'a', conditions: [{ ...attribute, name: '$campaign' }] })).status,
    ).to.equal(201);
  });

  it('keeps offerings and placements that rules show from being taken away', async () => {
    await make('/placements', { lookupKey: 'start', displayName: 'Start' });
    const placements = [{ placementId: 'start', offeringId: 'winter' }];
    const { id } = await make('/targeting-rules', { name: 'a', placements });
    expectRefusal(await call('PATCH', '/offerings/winter', { archived: true }), 409);
    expectRefusal(await call('DELETE', '/placements/start'), 409);
    await call('PATCH', `/targeting-rules/${id}`, { isActive: false });
    expect((await call('PATCH', '/offerings/winter', { archived: true })).status).to.equal(200);
    expectRefusal(await call('PATCH', `/targeting-rules/${id}`, { isActive: true }), 409);
  });

  it('is read as of an instant', async () => {
    const { id } = await make('/targeting-rules', { name: 'a' });
    await make('/placements', { lookupKey: 'start', displayName: 'Start' });
    const [{ updatedAt: then }] = (await call('GET', '/placements')).body.items;
    await call('PATCH', `/targeting-rules/${id}`, { name: 'b' });
    await make('/placements', { lookupKey: 'end', displayName: 'End' });
    expect(await names()).to.deep.equal(['b']);
    expect(await names(`?asOf=${then}`)).to.deep.equal(['a']);
    expect((await call('GET', `/placements?asOf=${then}`)).body.items).to.have.length(1);
    expectRefusal(await call('GET', '/targeting-rules?asOf=2999-01-01T00:00:00Z'), 400);
  });

  it('chooses for a customer by what is recorded, from the next request on', async () => {
    await make('/placements', { lookupKey: 'start', displayName: 'Start' });
    await register('ann', { platform: 'ios', appVersion: '2.1', country: 'DE' });
    const untargeted = { placements: { fallbackOfferingId: 'standard', offeringIdsByPlacement: {} }, targeting: null };
    expect(await offered('ann')).to.deep.include({ currentOfferingId: 'standard', ...untargeted });
    const conditions = [{ kind: 'attribute', name: 'plan', operator: 'in', values: ['team'] }];
    const placements = [{ placementId: 'start', offeringId: null }];
    const { id } = await make('/targeting-rules', { name: 'Teams', conditions, offeringId: 'team', placements });
    expect(await offered('ann')).to.deep.include({ currentOfferingId: 'standard', ...untargeted });
    await setAttribute('ann', { plan: 'team' });
    expect(await offered('ann')).to.deep.include({
      currentOfferingId: 'team',
      placements: { fallbackOfferingId: 'team', offeringIdsByPlacement: { start: null } },
      targeting: { ruleId: id, revision: 1 },
    });
    expect((await offered('ben')).targeting).to.equal(null);
    await call('PATCH', `/targeting-rules/${id}`, { isActive: false });
    expect(await offered('ann')).to.deep.include({ currentOfferingId: 'standard', ...untargeted });
  });

  it('lets a running experiment decide alone', async () => {
    await register('ann');
    const { id: eid } = await make('/experiments', { name: 'Price' });
    for (const offeringId of ['winter', 'winter'])
      await make(`/experiments/${eid}/variants`, { name: 'A', offeringId });
    await make('/targeting-rules', { name: 'Everybody', offeringId: 'team' });
    expect((await offered('ann')).currentOfferingId).to.equal('team');
    await call('PATCH', `/experiments/${eid}`, { status: 'running' });
    await register('ben');
    expect((await preview('ben')).body).to.deep.include({ targeting: null });
    expect((await preview('ben')).body.experiment).to.include({ id: eid, isEnrolled: false });
    expect(await offered('ben')).to.deep.include({ currentOfferingId: 'winter', targeting: null });
    await harness.service().idle();
    expect((await preview('ben')).body.experiment).to.include({ id: eid, isEnrolled: true });
    expect((await preview('ben')).body.rules[0].result).to.equal('not_reached');
    expect((await offered('ann')).currentOfferingId, 'was there before the start').to.equal('team');
    await call('PATCH', `/experiments/${eid}`, { status: 'stopped' });
    expect((await offered('ben')).currentOfferingId).to.equal('team');
  });

  it('previews what a customer gets, with the reason', async () => {
    await make('/placements', { lookupKey: 'start', displayName: 'Start' });
    await make('/placements', { lookupKey: 'sale', displayName: 'Sale' });
    await register('ann', { platform: 'ios', appVersion: '2.1', country: 'DE' });
    await make('/targeting-rules', { name: 'Off', isActive: false });
    await make('/targeting-rules', { name: 'France', conditions: [country('FR')], offeringId: 'team' });
    const placements = [{ placementId: 'sale', offeringId: null }];
    const conditions = [country('DE'), { kind: 'subscriber', value: false }];
    await make('/targeting-rules', { name: 'Germany', conditions, offeringId: 'winter', placements });
    const { body } = await preview('ann');
    expect(body.offering.lookupKey).to.equal('winter');
    expect(body.placements.map((p: { offering: View | null }) => p.offering?.lookupKey)).to.deep.equal([
      'winter',
      undefined,
    ]);
    expect(body.sentence).to.match(/“Germany” hold/);
    expect(body.facts).to.include({ country: 'DE', platform: 'ios', appVersion: '2.1', isSubscriber: false });
    expect(body.rules.map((r: { result: string }) => r.result)).to.deep.equal(['inactive', 'not_met', 'chosen']);
    expect(body.rules[1].conditions).to.deep.equal([{ ...country('FR'), isMet: false, actual: 'DE' }]);
    expect((await preview('ann', '?country=FR')).body.offering.lookupKey).to.equal('team');
    expect((await offered('ann')).currentOfferingId).to.equal('winter');
  });

  it('previews the past by what was recorded then', async () => {
    await register('ann', { country: 'DE' });
    await make('/targeting-rules', { name: 'Germany', conditions: [country('DE')], offeringId: 'winter' });
    const then = (await preview('ann')).body.at;
    const [{ id }] = await rules();
    await call('PATCH', `/targeting-rules/${id}`, { offeringId: 'team' });
    expect((await preview('ann')).body.offering.lookupKey).to.equal('team');
    const past = (await preview('ann', `?asOf=${then}`)).body;
    expect(past).to.deep.include({ at: then, targeting: { ruleId: id, revision: 1 } });
    expect(past.offering.lookupKey).to.equal('winter');
    expectRefusal(await preview('ann', `?asOf=${then}&country=FR`), 400);
  });

  it('shows a narrow key what the app gets, and no fact about the customer', async () => {
    await register('ann', { country: 'DE' });
    await make('/targeting-rules', { name: 'Germany', conditions: [country('DE')], offeringId: 'winter' });
    const made = await call('POST', '/api-keys', { name: 'reads', scopes: ['read'] }, { token: slice.token });
    const { body } = await preview('ann', '', { key: made.body.key });
    expect(body.offering.lookupKey).to.equal('winter');
    expect(body).not.to.have.any.keys('facts', 'rules');
    const shown = JSON.stringify(await offered('ann'));
    expect(shown).not.to.contain('Germany').and.not.to.contain('"country"');
  });

  it('is nothing of another project, and nothing for an erased customer', async () => {
    const other: Slice = await setUpProject(harness);
    await make('/placements', { lookupKey: 'start', displayName: 'Start' });
    await make('/targeting-rules', { name: 'a', offeringId: 'winter' });
    const theirs = `/v1/projects/${other.projectId}`;
    const by = { key: other.secretKey };
    expectRefusal(await harness.call('DELETE', `${theirs}/placements/start`, undefined, by), 404);
    const offeringId = (await rules())[0].offeringId;
    expectRefusal(await harness.call('POST', `${theirs}/targeting-rules`, { name: 'b', offeringId }, by), 400);
    await register('ann');
    await harness.call('DELETE', '/v1/subscribers/ann', undefined, as);
    await harness.service().idle();
    expectRefusal(await preview('ann'), 404);
  });
});
