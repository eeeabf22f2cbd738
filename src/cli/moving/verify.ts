// `subledger verify [FILE]`: checks that no stream of the log has a gap, and that the log equals an exported file.
import type { RecordedEvent } from '../../domain/envelope.js';
import { expectDump, readDump } from './dump-file.js';
import { Failure } from '../support/failure.js';
import { eventsOf, onEngine, recordsOf, soundEvents } from './moving.js';

export function verify(file: string | undefined): Promise<void> {
  const expectFile = async () => (file === undefined ? undefined : expectDump(file));
  return onEngine('read', expectFile, async ({ log, docs }) => {
    const checked = soundEvents(eventsOf(log));
    if (file === undefined) {
      let events = 0;
      for await (const event of checked) if (event) events += 1;
      process.stdout.write(`${events} events, each stream without a gap\n`);
      return;
    }
    const stored = new Map<string, string>();
    for await (const { c, id, doc } of recordsOf(docs)) stored.set(`${c}|${id}`, JSON.stringify(doc));
    let [events, records] = [0, 0];
    for await (const line of readDump(file)) {
      if (line.kind === 'record') {
        records += 1;
        if (!stored.has(`${line.record.c}|${line.record.id}`)) {
          throw new Failure(`record ${line.record.id} of ${line.record.c} is missing`);
        }
        continue;
      }
      events += 1;
      const { value } = await checked.next();
      if (!value || contentOf(value) !== contentOf(line.event)) {
        throw new Failure(`event ${line.event.id} (number ${events}) differs from the log`);
      }
    }
    process.stdout.write(`${events} events are identical, ${records} records are present\n`);
  });
}

/** Excludes the position, which differs between logs. */
function contentOf({ id, type, v, data, meta, stream, revision }: RecordedEvent): string {
  return JSON.stringify([id, type, v, data, meta, stream, revision]);
}
