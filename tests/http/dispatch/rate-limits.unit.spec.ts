// Guessing at passwords: from one address, from many, and by somebody who has been let in before.
import { expect } from 'chai';
import { countInMemory } from '../../../src/adapters/rate-counters/memory.js';
import { createRateLimits, type RateLimits } from '../../../src/http/dispatch/rate-limits.js';
import { TooManyRequests } from '../../../src/http/dispatch/too-many-requests.js';

const EMAIL = 'ann@example.com';

describe('guesses at a password', () => {
  const wrong = async (limits: RateLimits, ip: string) => (await limits.beginLogin(EMAIL, ip)).wrong();
  const outcome = (work: Promise<unknown>) =>
    work.then(
      () => 'may try',
      (err: unknown) => (err instanceof TooManyRequests ? 'must wait' : err),
    );

  it('end after five from one address, and count for no other', async () => {
    const limits = createRateLimits(countInMemory);
    for (let i = 0; i < 5; i++) expect(await outcome(wrong(limits, '10.0.0.1'))).to.equal('may try');
    expect(await outcome(limits.beginLogin(EMAIL, '10.0.0.1'))).to.equal('must wait');
    expect(await outcome(limits.beginLogin(EMAIL, '10.0.0.2'))).to.equal('may try');
    expect(await outcome(limits.beginLogin('bob@example.com', '10.0.0.1'))).to.equal('may try');
  });

  it('that come all at once are counted before they are tried', async () => {
    const limits = createRateLimits(countInMemory);
    const tried = await Promise.all(Array.from({ length: 19 }, () => outcome(limits.beginLogin(EMAIL, '10.0.0.1'))));
    expect(tried.filter((one) => one === 'may try')).to.have.length(5);
    const soon: unknown = await limits.beginLogin(EMAIL, '10.0.0.1').catch((err: unknown) => err);
    expect((soon as TooManyRequests).retryAfterSeconds).to.equal(1);
  });

  it('that were right, or could not be tried, are given back', async () => {
    const limits = createRateLimits(countInMemory);
    const guesses = await Promise.all(Array.from({ length: 5 }, () => limits.beginLogin(EMAIL, '10.0.0.1')));
    expect(await outcome(limits.beginLogin(EMAIL, '10.0.0.1'))).to.equal('must wait');
    for (const [i, guess] of guesses.entries()) await (i % 2 === 0 ? guess.right() : guess.untried());
    for (let i = 0; i < 5; i++) expect(await outcome(wrong(limits, '10.0.0.1'))).to.equal('may try');
    expect(await outcome(limits.beginLogin(EMAIL, '10.0.0.1'))).to.equal('must wait');
  });

  it('that come all at once from anywhere are few after fifty', async () => {
    const limits = createRateLimits(countInMemory);
    const many = Array.from({ length: 80 }, (_, i) => outcome(limits.beginLogin(EMAIL, `10.0.0.${i}`)));
    expect((await Promise.all(many)).filter((one) => one === 'may try')).to.have.length(51);
  });

  it('become slow after fifty from anywhere, but for a device that was let in before', async () => {
    const limits = createRateLimits(countInMemory);
    await (await limits.beginLogin(EMAIL, 'home')).right();
    for (let i = 0; i < 50; i++) await wrong(limits, `10.0.0.${i}`);
    expect(await outcome(limits.beginLogin(EMAIL, '10.1.0.1'))).to.equal('may try');
    expect(await outcome(limits.beginLogin(EMAIL, '10.1.0.2'))).to.equal('must wait');
    for (let i = 0; i < 3; i++) expect(await outcome(wrong(limits, 'home'))).to.equal('may try');
    expect(await outcome(limits.beginLogin('bob@example.com', '10.1.0.2'))).to.equal('may try');
  });

  it('get the time to wait', async () => {
    const limits = createRateLimits(countInMemory);
    for (let i = 0; i < 5; i++) await wrong(limits, '10.0.0.1');
    const refusal: unknown = await limits.beginLogin(EMAIL, '10.0.0.1').catch((err: unknown) => err);
    expect(refusal).to.be.instanceOf(TooManyRequests);
    expect((refusal as TooManyRequests).retryAfterSeconds).to.be.within(890, 900);
  });
});
