// An endpoint that never responds uses its two places and keeps nobody else waiting.
import { expect } from 'chai';
import { grantPromotional } from '../../../src/commands/subscribers/subscribers.js';
import { until } from '../rig.js';
import { createHooks } from './rig.js';

const HEALTHY = 19;
const SUBSCRIBERS = 50;

describe('an endpoint that hangs', () => {
  it('leaves all the others their deliveries, however much waits for it', async () => {
    const hooks = await createHooks();
    const { receiver } = hooks;
    const only = { eventTypes: ['NON_RENEWING_PURCHASE'] };
    await hooks.make({ ...only, url: 'https://hooks.example.com/hangs' });
    for (let i = 0; i < HEALTHY; i++) await hooks.make({ ...only, url: `https://hooks.example.com/${i}` });
    for (let i = 0; i < SUBSCRIBERS; i++) {
      const grant = { entitlement: 'pro', duration: 'monthly' as const, expiresAt: null, startsAt: null };
      await grantPromotional(hooks.deps, hooks.by(), hooks.projectId, `user-${i}`, grant);
    }
    let response: (status: number) => void = () => undefined;
    const withheld = new Promise<number>((resolve) => (response = resolve));
    const hangs = ({ url }: { readonly url: string }) => url.endsWith('/hangs');
    receiver.reply = (arrived) => (hangs(arrived) ? withheld : 200);
    await hooks.fan();
    await hooks.worker().sender.round();
    await until(
      () => receiver.arrived.filter((a) => a.delivered).length === HEALTHY * SUBSCRIBERS,
      'all but one served',
    );
    expect(receiver.arrived.filter(hangs)).to.have.length(2);
    response(200);
    await hooks.play();
    expect(receiver.arrived.filter(hangs)).to.have.length(SUBSCRIBERS);
    expect(receiver.arrived).to.have.length((HEALTHY + 1) * SUBSCRIBERS);
  });
});
