// Rate counters in MongoDB, which all processes of an installation share. While MongoDB is unavailable each process counts in its own memory:
// callers are then limited by process, but nobody is locked out.
import { createHmac } from 'node:crypto';
import type { Collection as Table, Db } from 'mongodb';
import { RateLimiterMongo, RateLimiterRes } from 'rate-limiter-flexible';
import { countInMemory } from './memory.js';
import type { OpenCounter, RateCounter } from './port.js';
import { fieldsOf } from '../../domain/values/json.js';

/** Database of the installation. */
export type MongoConnection = {
  /** Returns the database for one call: a lost connection may be replaced between calls. */
  readonly db: () => Db;
  /** Runs a call once. Throws `Unavailable`, at once while the server is known to be down. */
  run<T>(work: () => Promise<T>): Promise<T>;
};

const COLLECTION = 'rate_counters';
/** Counters are worth no more than a write to one server; reads follow it. */
const CONCERNS = { writeConcern: { w: 1 }, readConcern: { level: 'local' } } as const;
const DUPLICATE_KEY = 11_000;

/** Share of a limit that a process may use before it asks the server, as a divisor. */
const BATCHES = 60;
/** Smaller limits are counted exactly. */
const MIN_BATCH = 5;

/**
 * Opens the counters and creates their indexes. Keys, which contain emails and addresses, are stored only as hashes with `secret`. Throws
 * `Unavailable`.
 */
export async function openMongoCounters({ db, run }: MongoConnection, secret: Buffer): Promise<OpenCounter> {
  const table = () => db().collection(COLLECTION, CONCERNS);
  await run(() => table().createIndex({ expire: 1 }, { expireAfterSeconds: 0 }));
  await run(() => table().createIndex({ key: 1 }, { unique: true }));
  const storeClient = { collection: () => guardTable(table, run) };
  return (o) => {
    const { name, points, seconds } = o;
    const shared: RateCounter = new RateLimiterMongo({
      storeClient,
      tableName: COLLECTION,
      disableIndexesCreation: true,
      keyPrefix: name,
      points,
      duration: seconds,
      // Callers above their limit cost the server nothing until their time is over.
      inMemoryBlockOnConsumed: points,
      insuranceLimiter: countInMemory(o),
    });
    const hashed = hashKeys(shared, (key) => createHmac('sha256', secret).update(`${name}|${key}`).digest('base64url'));
    const batch = Math.floor(points / BATCHES);
    return batch < MIN_BATCH ? hashed : { ...hashed, ...consumeInBatches(countInMemory(o), hashed, batch) };
  };
}

/** Wraps the functions of the table that the limiter uses. It resolves a duplicate key itself: that is no fault of the server. */
function guardTable(table: () => Table, run: MongoConnection['run']) {
  const guarded = async <T>(work: () => Promise<T>): Promise<T> => {
    const duplicates: unknown[] = [];
    const result = await run(() =>
      work().catch((err: unknown) => {
        if (fieldsOf(err)['code'] !== DUPLICATE_KEY) throw err;
        duplicates.push(err);
        return null;
      }),
    );
    if (duplicates.length > 0) throw duplicates[0];
    return result as T;
  };
  return {
    findOneAndUpdate: (...args: Parameters<Table['findOneAndUpdate']>) =>
      guarded(() => table().findOneAndUpdate(...args)),
    findOne: (...args: Parameters<Table['findOne']>) => guarded(() => table().findOne(...args)),
  };
}

function hashKeys(counter: RateCounter, hash: (key: string) => string): RateCounter {
  const hashed = (key: string | number) => hash(String(key));
  return {
    consume: (key, points) => counter.consume(hashed(key), points),
    penalty: (key, points) => counter.penalty(hashed(key), points),
    reward: (key, points) => counter.reward(hashed(key), points),
    get: (key) => counter.get(hashed(key)),
    set: (key, points, seconds) => counter.set(hashed(key), points, seconds),
    block: (key, seconds) => counter.block(hashed(key), seconds),
  };
}

// Counts the frequent uses of a large limit in this process, and reports them to the shared counter in batches: a request usually waits for
// no server. All processes together may exceed the limit by less than one batch each.
/**
 * Consumes from `local`, and from `shared` whenever another batch is full. The local count is then raised to the shared one, so that it also
 * contains what the other processes have reported.
 */
function consumeInBatches(local: RateCounter, shared: RateCounter, batch: number): Pick<RateCounter, 'consume'> {
  const consume = async (name: string, points: number): Promise<RateLimiterRes> => {
    const used = await local.consume(name, points);
    const full = Math.floor(used.consumedPoints / batch) - Math.floor((used.consumedPoints - points) / batch);
    if (full === 0) return used;
    try {
      const total = await shared.consume(name, full * batch);
      const consumed = Math.max(used.consumedPoints, total.consumedPoints + (used.consumedPoints % batch));
      await local.set(name, consumed, secondsLeft(total));
      return total;
    } catch (err) {
      if (err instanceof RateLimiterRes) await local.block(name, secondsLeft(err));
      throw err;
    }
  };
  const inTurn = createTurns();
  return { consume: (key, points = 1) => inTurn(String(key), () => consume(String(key), points)) };
}

/** A count without a duration would never end. */
function secondsLeft({ msBeforeNext }: RateLimiterRes): number {
  return Math.max(1, msBeforeNext) / 1000;
}

/** Runs the work of one key in the order of the calls: uses that come while a batch is reported wait for the result. */
function createTurns() {
  const last = new Map<string, Promise<unknown>>();
  return <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const own = (last.get(key) ?? Promise.resolve()).then(work, work);
    const end = () => {
      if (last.get(key) === own) last.delete(key);
    };
    last.set(key, own);
    own.then(end, end);
    return own;
  };
}
