// Runs the event log contract on a real EventStoreDB; every case has a namespace of its own there.
import { systemRuntime } from '../../src/adapters/runtime.js';
import { openEventStoreLog } from '../../src/adapters/event-log/eventstoredb/log.js';
import { eventLogContract } from '../contract/event-log.js';
import { sampleCodec } from '../contract/event-log-samples.js';
import { eventStoreUrl, ownNamespace, skipped } from './servers.js';

const url = eventStoreUrl;
if (url === undefined) skipped('event log contract: EventStoreDB', 'TEST_EVENTSTORE_URL');
else {
  eventLogContract('EventStoreDB', async (keys) => {
    const options = { url, codec: sampleCodec(keys), runtime: systemRuntime(), namespace: ownNamespace() };
    let log = await openEventStoreLog(options);
    return {
      get log() {
        return log;
      },
      reopen: async () => {
        await log.close();
        return (log = await openEventStoreLog(options));
      },
      close: () => log.close(),
    };
  });
}
