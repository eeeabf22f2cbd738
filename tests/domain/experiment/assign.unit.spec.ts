// Enrolment and variant assignment in an experiment.
import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { variantFor, type Candidate, type RunningExperiment } from '../../../src/domain/experiment/assign.js';

const START = '2026-11-20T10:00:00.000Z';
const everybody = { countries: null, platforms: null, appIds: null, minAppVersion: null };
const variant = (variantId: string, weight: number) => ({
  variantId,
  name: variantId,
  offeringId: `ofr_${variantId}`,
  weight,
  isControl: variantId === 'a',
});
const experiment = (o: Partial<RunningExperiment> = {}): RunningExperiment => ({
  experimentId: 'exp_1',
  startedAt: START,
  enrollmentPercentage: 100,
  audience: everybody,
  variants: [variant('a', 1), variant('b', 3)],
  ...o,
});
const who = (appUserId: string, o: Partial<Candidate> = {}): Candidate => ({
  appUserId,
  createdAt: START,
  country: 'DE',
  platform: 'ios',
  appVersion: '2.10.1',
  appIds: ['app_1'],
  ...o,
});
const crowd = Array.from({ length: 4000 }, (_, i) => who(`user-${i}`));
const share = (x: RunningExperiment, is: (id: string | undefined) => boolean) =>
  crowd.filter((c) => is(variantFor(x, c)?.variantId)).length / crowd.length;

describe('a variant', () => {
  it('is drawn by the first 64 bits of a SHA-256, as the interface defines it', () => {
    const draw = (text: string) =>
      Number(createHash('sha256').update(text).digest().readBigUInt64BE() >> 11n) / 2 ** 53;
    for (const { appUserId } of crowd.slice(0, 200)) {
      const isIn = draw(`exp_1:${appUserId}`) < 0.3;
      const expected = draw(`exp_1:variant:${appUserId}`) < 1 / 4 ? 'a' : 'b';
      const drawn = variantFor(experiment({ enrollmentPercentage: 30 }), who(appUserId));
      expect(drawn?.variantId).to.equal(isIn ? expected : undefined);
    }
  });

  it('is given by weight to the percentage', () => {
    const half = experiment({ enrollmentPercentage: 50 });
    expect(share(half, (id) => id !== undefined)).to.be.closeTo(0.5, 0.03);
    expect(share(experiment(), (id) => id === 'a')).to.be.closeTo(0.25, 0.03);
  });

  it('keeps all enrolled customers when the percentage rises', () => {
    const few = experiment({ enrollmentPercentage: 20 });
    const more = experiment({ enrollmentPercentage: 60 });
    for (const c of crowd.slice(0, 500)) {
      const drawn = variantFor(few, c);
      if (drawn) expect(variantFor(more, c)).to.deep.equal(drawn);
    }
  });

  it('is assigned to no customer from before the start', () =>
    expect(variantFor(experiment(), who('ann', { createdAt: '2026-11-20T09:59:59.999Z' }))).to.equal(null));

  for (const [audience, fits, not] of [
    [{ countries: ['DE', 'AT'] }, {}, { country: 'FR' }],
    [{ countries: ['DE'] }, {}, { country: null }],
    [{ platforms: ['ios'] }, {}, { platform: 'android' }],
    [{ appIds: ['app_1'] }, {}, { appIds: ['app_2'] }],
    [{ appIds: ['app_1'] }, {}, { appIds: [] }],
    [{ minAppVersion: '2.9' }, {}, { appVersion: '2.8.9' }],
    [{ minAppVersion: '2.10.1' }, {}, { appVersion: '2.10' }],
    [{ minAppVersion: '2' }, { appVersion: '2.0.0-beta' }, { appVersion: null }],
  ] as const) {
    it(`goes to the audience alone: ${JSON.stringify(audience)} and not ${JSON.stringify(not)}`, () => {
      const x = experiment({ audience: { ...everybody, ...(audience as object) } });
      expect(variantFor(x, who('ann', fits))).not.to.equal(null);
      expect(variantFor(x, who('ann', not))).to.equal(null);
    });
  }
});
