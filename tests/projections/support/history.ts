// Some weeks of a project, made by the real commands: purchases, renewals, refunds, a transfer, a merge, grants, ends.
import type { EventLog } from '../../../src/adapters/event-log/port.js';
import { createApiKey, deleteApiKey } from '../../../src/commands/projects/projects.js';
import { recordLastSeen } from '../../../src/commands/subscribers/activity.js';
import { grantPromotional, setAttributes } from '../../../src/commands/subscribers/subscribers.js';
import { runCommand } from '../../../src/commands/handling/run-command.js';
import type { RecordedEvent } from '../../../src/domain/envelope.js';
import { streams } from '../../../src/domain/streams.js';
import { subscriberDecider } from '../../../src/domain/subscriber/decide/decider.js';
import { monthly, notification, renewal } from '../../commands/support/store-data.js';
import { eventsOf } from '../../commands/support/memory-deps.js';
import { createProjectFixture } from '../../commands/support/project-fixture.js';

export type History = { readonly log: EventLog; readonly events: readonly RecordedEvent[]; readonly projectId: string };

export async function history(): Promise<History> {
  const fixture = await createProjectFixture();
  const { deps, projectId, by, clock, submit, notify } = fixture;
  const chain = (id: string) => ({ transactionId: id, originalTransactionId: id });
  const key = { name: 'Server', kind: 'secret', appId: null, scopes: [], expiresAt: null } as const;
  const { keyId } = await createApiKey(deps, by(), projectId, key);
  await createApiKey(deps, by(), projectId, key);
  await deleteApiKey(deps, by(), projectId, keyId);

  const ann = await submit('ann', monthly());
  const changes = [{ key: '$email', value: 'ann@example.com', updatedAt: clock.iso(), receivedAt: clock.iso() }];
  await setAttributes(deps, by(), projectId, 'ann', { source: 'sdk', changes });
  await notify(notification('SUBSCRIBED', monthly(chain('tx_b')), { renewal: { autoRenewStatus: 1 } }));
  await submit('ben', monthly(chain('tx_b')));
  await submit('cleo', monthly({ ...chain('tx_c'), price: 4990 }));
  const forAWhile = { entitlement: 'pro', duration: 'weekly', expiresAt: null, startsAt: null } as const;
  await grantPromotional(deps, by(), projectId, 'dora', forAWhile);
  await recordLastSeen(deps, by(), projectId, { customerId: ann.customerId, at: clock.iso() });
  clock.set('2026-11-25T10:00:00.000Z');
  await recordLastSeen(deps, by(), projectId, { customerId: ann.customerId, at: clock.iso() });
  await submit('dora', monthly(), true);
  await notify(
    notification('DID_CHANGE_RENEWAL_STATUS', monthly({ ...chain('tx_c'), signedDate: Date.parse(clock.iso()) }), {
      subtype: 'AUTO_RENEW_DISABLED',
      renewal: { autoRenewStatus: 0 },
    }),
  );
  await notify(notification('DID_RENEW', renewal({ originalTransactionId: 'tx_1' })));
  clock.set('2026-12-22T10:00:00.000Z');
  const bens = renewal({ transactionId: 'tx_b2', originalTransactionId: 'tx_b' });
  await notify(notification('DID_RENEW', bens));
  await notify(
    notification('REFUND', { ...bens, signedDate: Date.parse(clock.iso()), revocationDate: Date.parse(clock.iso()) }),
  );
  await passAllDeadlines(fixture);
  return { log: deps.log, events: await eventsOf(deps.log), projectId };
}

/** Passes all deadlines that are due. */
async function passAllDeadlines({
  deps,
  projectId,
  clock,
  subscribers,
}: Awaited<ReturnType<typeof createProjectFixture>>) {
  for (const { stream, state } of await subscribers()) {
    const targets = [
      ...state.profile.subscriptions.map((s) => [s.purchase.subscriptionId, s.contractEndsAt]),
      ...state.profile.grants.map((g) => [g.grantId, g.expiresAt]),
    ];
    for (const [target = '', expectedAt] of targets.map((t) => t.map(String))) {
      const command = { kind: 'passDeadline', target, expectedAt: expectedAt ?? '', dueBefore: clock.iso() } as const;
      const actor = { kind: 'system', id: 'deadlines' } as const;
      const ctx = { commandId: `x|${target}`, correlationId: streams.project(projectId), actor, projectId };
      await runCommand(deps, stream, subscriberDecider, [command], ctx);
    }
  }
}
