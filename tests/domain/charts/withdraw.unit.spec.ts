// Events withdrawn by a revision of a purchase's history count in no figure.
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { noHistory } from '../../../src/domain/charts/history/history.js';
import { record } from '../../../src/domain/charts/history/record.js';
import { withdraw } from '../../../src/domain/charts/history/withdraw.js';
import type { RecordedEvent } from '../../../src/domain/envelope.js';
import type { SubscriberEvent } from '../../../src/domain/subscriber/events/events.js';

type Event<T> = RecordedEvent<Extract<SubscriberEvent, { type: T }>>;

/** Returns the golden event of a type. */
function golden<T extends SubscriberEvent['type']>(type: T): Event<T> {
  const file = new URL(`../../fixtures/events/${type}.v1.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as Event<T>;
}

describe('a withdrawn event', () => {
  it('leaves one of two records of a one-time purchase when a revision puts one in place of the other', () => {
    const bought = golden('OneTimePurchaseCompleted');
    const revised = golden('PurchaseHistoryRevised');
    const { transactionId } = bought.data.purchase;
    const superseded = [
      { eventId: bought.id, type: bought.type, at: bought.meta.at, subscriptionId: null, transactionId },
    ];
    const once = record(noHistory, bought);
    const taken = withdraw(once, { ...revised, data: { ...revised.data, superseded } });
    const twice = record(taken, bought);
    const standing = Object.values(twice.lines).flatMap((l) => l.periods.filter((p) => p.gone === undefined));
    expect(standing.map((p) => p.id)).to.deep.equal([transactionId]);
  });
});
