// Runs the contracts of rate counters on a real MongoDB.
import { randomBytes } from 'node:crypto';
import { systemRuntime } from '../../src/adapters/runtime.js';
import { openMongoDocuments, type MongoDocuments } from '../../src/adapters/documents/mongodb/store.js';
import { openMongoCounters } from '../../src/adapters/rate-counters/mongodb.js';
import { rateCountersContract, sharedCountersContract } from '../contract/rate-counters.js';
import { mongoUrl, ownDatabase, skipped } from './servers.js';

if (mongoUrl === undefined) skipped('rate counters contract: MongoDB', 'TEST_MONGODB_URL');
else {
  const shared = ownDatabase(mongoUrl);
  const secret = randomBytes(32);
  const opened: MongoDocuments[] = [];
  const open = (url: string) => {
    const documents = openMongoDocuments({ url, runtime: systemRuntime() });
    opened.push(documents);
    return openMongoCounters(documents.connection, secret);
  };
  const url = mongoUrl;
  rateCountersContract('MongoDB', () => open(ownDatabase(url)));
  sharedCountersContract('MongoDB', () => open(shared));
  after(async () => {
    for (const { connection, close } of opened) {
      await connection.db().dropDatabase();
      await close();
    }
  });
}
