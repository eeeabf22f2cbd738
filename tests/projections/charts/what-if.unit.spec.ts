// Other rules change a customer's history as if the events had been recorded under them, and nothing else. HISTORIES=<number> draws more.
import { expect } from 'chai';
import { createMemoryDocuments } from '../../adapters/documents/memory.js';
import type { CustomerHistory } from '../../../src/domain/charts/history/history.js';
import { historyUnder, type WhatIf } from '../../../src/domain/charts/what-if.js';
import type { RecordedEvent } from '../../../src/domain/envelope.js';
import { customerHistories, type CustomerHistoryDoc } from '../../../src/projections/charts/customer-histories.js';
import { collectionOf } from '../../../src/projections/runtime/projection.js';
import { randomHistory } from '../../charts-reference/random-history.js';
import { eventsOf } from '../../commands/support/memory-deps.js';
import { feedsOf, firstBuild, open, runAll } from '../support/builds.js';
import { history } from '../support/history.js';
import { chance } from '../support/seeded-random.js';
import { emptyLog, expressible, record } from './recorded-log.js';

const HISTORIES = Number(process.env['HISTORIES'] ?? 10);
const build = firstBuild(customerHistories);

const rules: readonly WhatIf[] = [
  { commission: 0.15 },
  { refundPolicy: 'keep_until_expiry' },
  { refundPolicy: 'revoke_immediately' },
  { refundPolicy: 'keep_until_expiry', commission: 0 },
];

type Money = { readonly commissionRate: number };
type Data = { readonly [field: string]: unknown; readonly money?: Money; readonly refund?: { readonly money: Money } };

/** The event as it would have been recorded under the rules. */
function recordedUnder({ commission, refundPolicy }: WhatIf, event: RecordedEvent): RecordedEvent {
  const data = event.data as Data;
  const { money, refund, policy, isLatest } = data;
  const changed: Record<string, unknown> = { ...data };
  if (commission !== undefined && money) changed['money'] = { ...money, commissionRate: commission };
  if (commission !== undefined && refund)
    changed['refund'] = { ...refund, money: { ...refund.money, commissionRate: commission } };
  if (refundPolicy !== undefined && event.type === 'TransactionRefunded' && policy !== refundPolicy)
    changed['accessRevoked'] = refundPolicy === 'revoke_immediately' && isLatest === true;
  return { ...event, data: changed };
}

async function foldedHistories(events: readonly RecordedEvent[]): Promise<readonly CustomerHistoryDoc[]> {
  const docs = createMemoryDocuments();
  const runner = await open(emptyLog(), docs, build);
  await runAll(
    runner,
    feedsOf(events, () => 20),
  );
  const { rows } = await docs.scan(collectionOf(build), { index: 'id', eq: [], limit: 10_000 });
  return rows.map(({ doc }) => doc as unknown as CustomerHistoryDoc);
}

function refundsIn({ own, merged }: CustomerHistory) {
  const all = [own, ...merged.map((m) => m.history)].flatMap((h) => Object.values(h.adjustments).flat());
  return all.flatMap((a) => (a.kind === 'refund' ? [a] : []));
}

describe('what if', () => {
  it('no rule is another, a history is as it was', async () => {
    for (const customer of await foldedHistories((await history()).events)) {
      expect(historyUnder(customer, undefined)).to.equal(customer);
      expect(historyUnder(customer, {})).to.equal(customer);
    }
  });

  it(`rules were others, histories are those of events recorded under them, on ${HISTORIES} random ones`, async () => {
    const random = chance();
    const pasts = [(await history()).events];
    for (let n = 0; n < HISTORIES; n++) {
      const events = expressible(randomHistory(random));
      const log = emptyLog();
      await record(log, events, events);
      pasts.push(await eventsOf(log));
    }
    let changedRefunds = 0;
    for (const events of pasts) {
      const plain = await foldedHistories(events);
      for (const whatIf of rules) {
        const wanted = await foldedHistories(events.map((event) => recordedUnder(whatIf, event)));
        const found = plain.map((customer) => historyUnder(customer, whatIf));
        expect(found, `${JSON.stringify(whatIf)}, SEED=${random.seed}`).to.deep.equal(wanted);
        const before = plain.flatMap(refundsIn);
        changedRefunds += found.flatMap(refundsIn).filter(({ cuts }, i) => cuts !== before[i]?.cuts).length;
      }
    }
    expect(changedRefunds, `refunds that take access under one policy only, SEED=${random.seed}`).to.be.above(0);
  });
});
