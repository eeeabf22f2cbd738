// Runs the event log contract on a real log server, by each scheme; every case has a namespace of its own there.
import { systemRuntime } from '../../src/adapters/runtime.js';
import { openEventStoreLog } from '../../src/adapters/event-log/eventstoredb/log.js';
import { eventLogContract } from '../contract/event-log.js';
import { sampleCodec } from '../contract/event-log-samples.js';
import { eventStoreUrl, ownNamespace, skipped } from './servers.js';

for (const scheme of ['esdb', 'kurrentdb']) {
  const name = `log server by ${scheme}://`;
  if (eventStoreUrl === undefined) {
    skipped(`event log contract: ${name}`, 'TEST_EVENTSTORE_URL');
    continue;
  }
  const url = eventStoreUrl.replace(/^\w+/, scheme);
  eventLogContract(name, async (keys) => {
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
