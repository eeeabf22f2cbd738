// Runs the document store contract on a real MongoDB.
import { MongoClient } from 'mongodb';
import { systemRuntime } from '../../src/adapters/runtime.js';
import { openMongoDocuments } from '../../src/adapters/documents/mongodb/store.js';
import { documentsContract } from '../contract/documents.js';
import { mongoUrl, ownDatabase, skipped } from './servers.js';

if (mongoUrl === undefined) skipped('document store contract: MongoDB', 'TEST_MONGODB_URL');
else {
  const url = ownDatabase(mongoUrl);
  const runtime = systemRuntime();
  documentsContract('MongoDB', async () => {
    let open = openMongoDocuments({ url, runtime });
    return {
      get store() {
        return open;
      },
      reopen: async () => {
        await open.close();
        open = openMongoDocuments({ url, runtime });
      },
      close: async () => {
        await open.close();
        await dropDatabase(url);
      },
    };
  });
}

async function dropDatabase(url: string): Promise<void> {
  const client = new MongoClient(url);
  await client.db().dropDatabase();
  await client.close();
}
