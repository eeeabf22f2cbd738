// Last use of an API key, to the minute.
import { expect } from 'chai';
import { createManualClock } from '../support/manual-clock.js';
import { setUpService } from '../support/setup.js';

const MINUTE_MS = 60_000;

describe('lastUsedAt', () => {
  const clock = createManualClock(Date.parse('2026-11-20T10:00:00.000Z'), { setsElapsed: true });
  const { harness, slice } = setUpService({}, clock.runtime);

  const path = () => `/v1/projects/${slice.projectId}/api-keys`;
  const use = () => harness.call('GET', '/v1/projects', undefined, { key: slice.secretKey });
  const shown = async () => {
    const { body } = await harness.call('GET', path(), undefined, { token: slice.token });
    const key = body.items.find((k: { name: string }) => k.name === 'server');
    return key.lastUsedAt as string | null;
  };

  it('is null for a key that was never used', async () => {
    const { body } = await harness.call('POST', path(), { name: 'spare' }, { token: slice.token });
    expect(body.lastUsedAt).to.equal(null);
    expect(await shown()).to.equal(null);
  });

  it('shows the first use, and a later one once a minute has passed', async () => {
    await use();
    expect(await shown()).to.equal('2026-11-20T10:00:00.000Z');
    clock.set(clock.now() + MINUTE_MS - 1);
    await use();
    expect(await shown()).to.equal('2026-11-20T10:00:00.000Z');
    clock.set(clock.now() + 1);
    await use();
    expect(await shown()).to.equal('2026-11-20T10:01:00.000Z');
  });

  it('outlives a restart', async () => {
    await harness.restart();
    expect(await shown()).to.equal('2026-11-20T10:01:00.000Z');
  });
});
