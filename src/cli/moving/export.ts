// `subledger export FILE`: writes the whole log and the records, as they are stored, to one file.
import { writeDump, type DumpLine } from './dump-file.js';
import { expectPlaceForFile, writingTo } from '../support/path-arguments.js';
import { counter, eventsOf, onEngine, recordsOf } from './moving.js';

export function exportTo(file: string): Promise<void> {
  const argument = { name: 'FILE', path: file, cure: 'give the path of a new file, such as dump.ndjson.gz' } as const;
  const expectPlace = async () => expectPlaceForFile(argument);
  return onEngine('read', expectPlace, async ({ log, docs }) => {
    const count = counter('events exported');
    async function* lines(): AsyncGenerator<DumpLine> {
      // Records first, because a log that is newer than its records is harmless.
      for await (const record of recordsOf(docs)) yield { kind: 'record', record };
      for await (const event of eventsOf(log)) {
        count();
        yield { kind: 'event', event };
      }
    }
    const { events, records } = await writingTo(argument, async () => writeDump(file, await log.identity(), lines()));
    process.stdout.write(`${events} events and ${records} records exported to ${file}\n`);
  });
}
