// Processes that fan out in turn: what one of them keeps of endpoints is not what holds when its next turn comes.
import { expect } from 'chai';
import { grantPromotional } from '../../../src/commands/subscribers/subscribers.js';
import { updateWebhook } from '../../../src/commands/webhooks/webhooks.js';
import type { Reaction } from '../../../src/workers/reactions/reaction.js';
import { requestRetry, retryRequested } from '../../../src/workers/reactions/parked.js';
import { reactionRig, until } from '../rig.js';
import { createHooks } from './rig.js';

const only = { eventTypes: ['NON_RENEWING_PURCHASE'] };

async function twoProcesses() {
  const hooks = await createHooks();
  const rig = await reactionRig(hooks.deps.log, hooks.deps.runtime);
  const one = hooks.worker().fanout;
  hooks.restart();
  const other = hooks.worker().fanout;
  const { webhookId } = await hooks.make(only);
  /** The lease of the fan-out is its until it has handled what is there. */
  const turn = async (fanout: Reaction) => {
    const running = rig.start(fanout);
    const head = (await hooks.events()).at(-1)?.position ?? '';
    await until(() => (rig.progress.at('fanout') ?? '') >= head);
    await running.stop();
  };
  const grant = (appUserId: string) => {
    const o = { entitlement: 'pro', duration: 'monthly' as const, expiresAt: null, startsAt: null };
    return grantPromotional(hooks.deps, hooks.by(), hooks.projectId, appUserId, o);
  };
  const turnedOn = (enabled: boolean) =>
    updateWebhook(hooks.deps, hooks.by(), { projectId: hooks.projectId, webhookId }, { set: {}, enabled });
  /** Returns the deliveries of a grant: `sent` if they are sent at once or soon, `held` otherwise. */
  const madeFor = async (appUserId: string) =>
    (await hooks.all()).filter((d) => d.appUserId === appUserId).map((d) => (d.state === 'held' ? 'held' : 'sent'));
  await turn(one);
  return { hooks, rig, one, other, turn, grant, turnedOn, madeFor };
}

describe('a fan-out by one process after another', () => {
  it('sends to a webhook that was enabled in the turn of the other', async () => {
    const { one, other, turn, grant, turnedOn, madeFor } = await twoProcesses();
    await turnedOn(false);
    await grant('ann');
    await turn(one);
    expect(await madeFor('ann')).to.deep.equal(['held']);
    await turnedOn(true);
    await turn(other);
    await grant('ben');
    await turn(one);
    expect(await madeFor('ben')).to.deep.equal(['sent']);
  });

  it('sends to a webhook that was made in the turn of the other', async () => {
    const { hooks, one, other, turn, grant, madeFor } = await twoProcesses();
    await grant('ann');
    await turn(one);
    await hooks.make({ ...only, url: 'https://hooks.example.com/second' });
    await turn(other);
    await grant('ben');
    await turn(one);
    expect([await madeFor('ann'), await madeFor('ben')]).to.deep.equal([['sent'], ['sent', 'sent']]);
  });

  it('tries a parked event again for the endpoints that there were, whichever process does', async () => {
    const { hooks, rig, one, other, turn, grant, turnedOn, madeFor } = await twoProcesses();
    const { signal } = new AbortController();
    const retry = async () => {
      await requestRetry(rig.docs, 1000, null);
      await retryRequested([one], rig.deps, signal);
    };
    const failing: Reaction = { ...other, handle: () => Promise.reject(new Error('not now')) };
    await turnedOn(false);
    await turn(other);
    await grant('ann');
    await turn(failing);
    await retry();
    expect(await madeFor('ann')).to.deep.equal(['held']);
    await turnedOn(true);
    await turn(other);
    await grant('ben');
    await turn(failing);
    await retry();
    expect(await madeFor('ben')).to.deep.equal(['sent']);
    expect(hooks.lines.filter(({ level }) => Number(level) >= 50)).to.deep.equal([]);
  });
});
