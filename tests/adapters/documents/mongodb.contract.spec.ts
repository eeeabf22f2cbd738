// Runs the document store contract through MongoDB's driver, on a stand-in for the server.
import { systemRuntime } from '../../../src/adapters/runtime.js';
import { openMongoDocuments } from '../../../src/adapters/documents/mongodb/store.js';
import { documentsContract } from '../../contract/documents.js';
import { startMongoStandIn } from './mongodb-stand-in/server.js';

documentsContract('MongoDB (stand-in)', async () => {
  const server = await startMongoStandIn();
  const runtime = systemRuntime();
  let open = openMongoDocuments({ url: server.url, runtime });
  return {
    get store() {
      return open;
    },
    reopen: async () => {
      await open.close();
      open = openMongoDocuments({ url: server.url, runtime });
    },
    close: async () => {
      await open.close();
      await server.close();
    },
  };
});
