// Stands for the collection of rate counters in MongoDB: the calls that are made to the driver, with its results and its error of a duplicate
// key. Any other call is an error, so that a new version of the limiter's library cannot make other calls unnoticed.
import type { MongoConnection } from '../../../src/adapters/rate-counters/mongodb.js';
import { Unavailable } from '../../../src/domain/errors.js';

type StoredCounter = { key: string; points: number; expire: Date | null };
type Condition = { readonly expire: { readonly $gt?: Date; readonly $lte?: Date; readonly $eq?: null } };
type Filter = { readonly key: string; readonly $or?: readonly Condition[] };
type Update = {
  readonly $set?: StoredCounter;
  readonly $setOnInsert?: Pick<StoredCounter, 'key' | 'expire'>;
  readonly $inc?: { readonly points: number };
};

export type CounterServer = {
  /** Another process's connection to the one server. */
  connect(): MongoConnection;
  /** Number of updates that were made. */
  updates(): number;
  readonly stored: ReadonlyMap<string, StoredCounter>;
  setDown(isDown: boolean): void;
};

export function createCounterServer(): CounterServer {
  const stored = new Map<string, StoredCounter>();
  const indexes: unknown[] = [];
  let updates = 0;
  let isDown = false;
  const find = ({ key, $or }: Filter): StoredCounter | null => {
    const counter = stored.get(key);
    return counter && ($or === undefined || $or.some(({ expire }) => fits(counter.expire, expire))) ? counter : null;
  };
  const table = {
    createIndex: async (fields: object, options: object) => void indexes.push({ fields, options }),
    findOne: async (filter: Filter) => find(filter),
    findOneAndUpdate: async (filter: Filter, update: Update, options: object) => {
      if (JSON.stringify(options) !== '{"upsert":true,"returnDocument":"after"}') throw new Error('other options');
      updates++;
      const counter = find(filter);
      if (!counter && stored.has(filter.key)) throw Object.assign(new Error('E11000 duplicate key'), { code: 11_000 });
      const { points } = update.$inc ?? { points: 0 };
      const inserted = { key: filter.key, expire: null, points: 0, ...update.$setOnInsert };
      const next = { ...(counter ?? inserted), ...update.$set };
      const result = { ...next, points: next.points + points };
      stored.set(filter.key, result);
      return { ...result };
    },
  };
  const db = (() => ({ collection: () => table })) as unknown as MongoConnection['db'];
  return {
    connect: () => ({
      db,
      run: async (work) => {
        // A response takes a turn of the event loop, in which other calls begin.
        await new Promise((resolve) => setImmediate(resolve));
        if (isDown) throw new Unavailable('MongoDB cannot be reached');
        return work();
      },
    }),
    updates: () => updates,
    stored,
    setDown: (down) => {
      isDown = down;
    },
  };
}

function fits(expire: Date | null, condition: Condition['expire']): boolean {
  if ('$eq' in condition) return expire === null;
  if (expire === null) return false;
  return condition.$gt ? expire > condition.$gt : expire <= (condition.$lte ?? new Date(0));
}
