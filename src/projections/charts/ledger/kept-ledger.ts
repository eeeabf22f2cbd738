// The ledger of one project and environment in memory, kept up with the customer histories of one build. It is made from them and holds
// nothing of its own: there is nothing to lose when the process dies, and nothing to repair.
import { allPages } from '../../../adapters/documents/records.js';
import type { DocStore, Scan } from '../../../adapters/documents/port.js';
import { createLedger, type LedgerColumns } from '../../../domain/charts/ledger/ledger.js';
import { ledgerOf } from '../../../domain/charts/ledger/customer/rows.js';
import type { Environment } from '../../../domain/charts/history/known-history.js';
import { collectionOf, type Build } from '../../runtime/projection.js';
import { readCheckpoint } from '../../runtime/runner.js';
import type { CustomerHistoryDoc } from '../customer-histories.js';

export type KeptLedger = {
  readonly build: Build;
  /** With all that the build holds of the project when it is called; null while many customers are being taken in for the first time. */
  read(): Promise<LedgerColumns | null>;
  /** Resolves when all customers are taken in. */
  filled(): Promise<void>;
  /** Rows in memory. */
  rows(): number;
};

/** It has more rows than there is room for. */
export class LedgerTooLarge extends Error {}

export type LedgerDeps = {
  readonly docs: DocStore;
  /** Lets others have their turn. */
  readonly turn: () => Promise<void>;
  /** Rows of all ledgers; each takes 32 bytes, and what else there is about as much again. */
  readonly mostRows: number;
};

const PAGE = 500;
/** Customers that a reader waits for; those of a larger project are asked themselves meanwhile. */
const MOST_AWAITED = 10_000;
/** Rows that are passed over may be so many times those that count. */
const MOST_PASSED_OVER = 0.5;

/** `read` throws {@link LedgerTooLarge}. */
export function keepLedger(
  { docs, turn, mostRows }: LedgerDeps,
  build: Build,
  projectId: string,
  environment: Environment,
): KeptLedger {
  const collection = collectionOf(build);
  const ledger = createLedger();
  /** All events up to here are in the ledger; later ones may be. */
  let upTo = '';
  /** Positions of the customers that are ahead of it. */
  let ahead = new Map<string, string>();
  let isFilled = false;
  let large: () => void = () => undefined;
  const isLarge = new Promise<void>((resolve) => (large = resolve));

  const follow = async (): Promise<void> => {
    // Before anything is read: what is stored behind it may be the half of a batch.
    const { position } = await readCheckpoint(docs, collection);
    const next = new Map<string, string>();
    const scan: Scan = { index: 'position', eq: [projectId], from: upTo, limit: PAGE };
    let taken = 0;
    for await (const rows of allPages(scan, (page) => docs.scan(collection, page))) {
      for (const { id, doc } of rows) {
        const customer = doc as unknown as CustomerHistoryDoc;
        if (customer.position >= position) next.set(id, customer.position);
        if (customer.position !== ahead.get(id)) ledger.put(id, ledgerOf(customer, environment));
      }
      if (ledger.size().rows > mostRows) throw new LedgerTooLarge();
      taken += rows.length;
      if (taken > MOST_AWAITED) large();
      if (rows.length === PAGE) await turn();
    }
    [upTo, ahead] = [position, next];
    const { rows, passedOver } = ledger.size();
    if (passedOver > MOST_PASSED_OVER * (rows - passedOver)) ledger.compact();
    isFilled = true;
  };

  const filling = follow();
  let following = filling;
  following.catch(() => undefined);
  return {
    build,
    filled: () => filling,
    rows: () => ledger.size().rows,
    read: async () => {
      if (!isFilled) {
        await Promise.race([following, isLarge]);
        if (!isFilled) return null;
      }
      following = following.catch(() => undefined).then(follow);
      await following;
      return ledger.read();
    },
  };
}
