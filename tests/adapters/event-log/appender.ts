// A process of its own for the crash spec: 64 callers append to eight streams for ever, each acknowledged event is reported.
import { openEmbeddedLog } from '../../../src/adapters/event-log/embedded/log.js';
import { streams } from '../../../src/domain/streams.js';
import { memoryKeys, noted, sampleCodec } from '../../contract/event-log-samples.js';
import { report } from '../child.js';

const [file = '', round = ''] = process.argv.slice(2);
const log = await openEmbeddedLog({ file, codec: sampleCodec(memoryKeys()) });
for (let caller = 0; caller < 64; caller++) void appendForEver(caller);

async function appendForEver(caller: number): Promise<never> {
  const stream = streams.subscriber('proj_1', `cus_${caller % 8}`);
  for (let i = 0; ; i++) {
    const event = noted(`${round}.${caller}.${i}`);
    const { revision } = await log.append(stream, 'any', [event]);
    // Synchronous and in one piece, so that an acknowledgement is outside the process, whole, before it can be killed.
    report(`${event.id}@${stream} ${revision}`);
  }
}
