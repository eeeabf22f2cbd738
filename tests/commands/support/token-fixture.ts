// A fixture in which purchases carry account tokens, and public keys, secret keys and receipts claim them.
import { randomUUID } from 'node:crypto';
import type { IosTransaction } from '../../../src/adapters/ios-store/port.js';
import { eraseSubscriber } from '../../../src/commands/subscribers/erasure.js';
import { mergeAnonymous } from '../../../src/commands/subscribers/merge.js';
import { registerSubscriber, setAttributes } from '../../../src/commands/subscribers/subscribers.js';
import { deliveryBodyCollection, deliveryCollection } from '../../../src/commands/webhooks/deliveries.js';
import { customerId, eventId } from '../../../src/domain/ids.js';
import type { EventData, Actor, LogPosition, NewEvent } from '../../../src/domain/envelope.js';
import { streams } from '../../../src/domain/streams.js';
import { createProgress } from '../../../src/projections/runtime/progress.js';
import { accountTokensReaction } from '../../../src/workers/reactions/account-tokens.js';
import { mergesReaction, ownershipReaction } from '../../../src/workers/reactions/completions.js';
import { eventsOf } from './memory-deps.js';
import { monthly, notification, renewal } from './store-data.js';
import { createProjectFixture } from './project-fixture.js';

export type TokenFixture = Awaited<ReturnType<typeof createTokenFixture>>;

/** `by`: with what the app, or the app's server, writes. */
export type By = 'public' | 'secret';

export async function createTokenFixture(o: Parameters<typeof createProjectFixture>[0] = {}) {
  const fixture = await createProjectFixture(o);
  const { deps, projectId } = fixture;
  await deps.docs.ensure([deliveryCollection, deliveryBodyCollection]);
  const requester = (by: By) => fixture.by(by === 'secret');
  const progress = createProgress();
  for (const readModel of ['customers', 'account_tokens'])
    progress.reportPosition(readModel, '9'.repeat(20) as LogPosition);
  const reactions = [ownershipReaction(deps), mergesReaction(deps), accountTokensReaction(deps, progress)];

  const line = (id: string, token?: string, more: Partial<IosTransaction> = {}): IosTransaction => ({
    ...monthly({ transactionId: id, originalTransactionId: id }),
    ...(token !== undefined && { appAccountToken: token }),
    ...more,
  });
  const make = (appUserId: string, by: By) =>
    registerSubscriber(deps, requester(by), projectId, appUserId, { source: 'sdk' });
  const write = (appUserId: string, by: By, token: string | null) => {
    const now = deps.runtime.now();
    const at = new Date(now).toISOString();
    const changes = [{ key: '$appAccountToken', value: token, updatedAt: at, receivedAt: at }];
    return setAttributes(deps, requester(by), projectId, appUserId, { source: 'sdk', changes });
  };
  /** `POST /v1/subscribers/<appUserId>` without a field. */
  const post = (appUserId: string, by: By) =>
    setAttributes(deps, requester(by), projectId, appUserId, { source: 'sdk', changes: [] });
  const buy = (id: string, token?: string, more: Partial<IosTransaction> = {}) =>
    fixture.notify(notification('SUBSCRIBED', line(id, token, more)));
  const renew = (id: string, token?: string, n = 1) => {
    const transactionId = `${id}.${n}`;
    const of = { transactionId, originalTransactionId: id, dayOfPurchase: 30 * n };
    const transaction = { ...renewal(of), ...(token !== undefined && { appAccountToken: token }) };
    return fixture.notify(notification('DID_RENEW', transaction));
  };
  const present = (appUserId: string, transaction: IosTransaction, by: By = 'public') =>
    fixture.submit(appUserId, transaction, false, by === 'secret');
  const logIn = (previous: string, appUserId: string) =>
    mergeAnonymous(deps, requester('public'), projectId, { appUserId, previous });
  const erase = (appUserId: string) => eraseSubscriber(deps, requester('secret'), projectId, appUserId);

  const handledCounts = reactions.map(() => 0);
  /** All that reactions have to do, until nothing more comes of it. Each handles each event once: again could hide what it missed. */
  const settle = async () => {
    for (let events = await eventsOf(deps.log); handledCounts.some((count) => count < events.length);) {
      for (const [index, reaction] of reactions.entries()) {
        for (const event of events.slice(handledCounts[index]))
          if (reaction.serialKeyOf(event) !== null) await reaction.handle(event);
        handledCounts[index] = events.length;
      }
      events = await eventsOf(deps.log);
    }
  };
  /** Returns the holder of the line; `anonymous` for an anonymous customer. Throws if there are several. */
  const holder = async (id: string): Promise<string | null> => {
    const [first, ...others] = Object.keys(await fixture.holders(id));
    if (others.length > 0) throw new Error(`${id} is held by ${[first, ...others].join(', ')}`);
    return first === undefined ? null : first.startsWith('$anon:') ? 'anonymous' : first;
  };
  /** Appends an event of an older version, without a trust field. */
  const appendOld = async (appUserId: string, actor: Actor, type: string, data: EventData) => {
    const stream = streams.subscriber(projectId, customerId(deps.hash, projectId, appUserId));
    let revision: number | 'none' = 'none';
    for await (const event of deps.log.read(stream)) revision = event.revision;
    const at = new Date(deps.runtime.now()).toISOString();
    const commandId = randomUUID();
    const named = { commandId, causationId: commandId, correlationId: commandId, projectId };
    const event: NewEvent = {
      id: eventId(stream, commandId, 0),
      type,
      data,
      meta: { at, recordedAt: at, actor, ...named },
    };
    await deps.log.append(stream, revision, [event]);
  };
  return { ...fixture, line, make, write, post, buy, renew, present, logIn, erase, settle, holder, appendOld };
}
