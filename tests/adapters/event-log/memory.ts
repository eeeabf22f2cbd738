// Event log in memory, for the simulator and fast tests: the same rules and the same stored text as the embedded log, so that writers and
// readers share no objects.
import { logPosition, type LogPosition, type Revision, type StreamName } from '../../../src/domain/envelope.js';
import { familyOf, type Family } from '../../../src/domain/streams.js';
import { actualRevision, checkCommit } from '../../../src/adapters/event-log/embedded/writer.js';
import type { Codec } from '../../../src/adapters/event-log/codec.js';
import { followLog, createWakeup } from '../../../src/adapters/event-log/follow.js';
import { readEventId, addPosition } from '../../../src/adapters/event-log/placed-event.js';
import { START, type EventLog, type Feed } from '../../../src/adapters/event-log/port.js';
import { WrongRevision } from '../../../src/domain/errors.js';

type Row = { readonly family: Family; readonly text: string };
/** Item `i` of `positions` has revision `base + 1 + i`. */
type Stream = { readonly base: Revision; readonly positions: number[] };

const EMPTY_STREAM: Stream = { base: -1, positions: [] };

/** Creates the log. Positions start at 1; an erased event leaves a gap. An append of no events writes and checks nothing. */
export function createMemoryLog({ codec, identity = 'memory' }: { codec: Codec; identity?: string }): EventLog {
  const log: (Row | undefined)[] = [undefined];
  const streams = new Map<StreamName, Stream>();
  const wakeup = createWakeup();

  return {
    identity: async () => identity,
    head: async () => head(),
    async append(stream, expected, events) {
      if (events.length === 0) return lastOf(stream, stateOf(stream).current);
      const drafts = await codec.encode(stream, events);
      const state = stateOf(stream);
      const verdict = checkCommit(expected, state);
      if (verdict === 'append') return store(stream, drafts);
      if (verdict === 'refuse' || !isStored(stream, verdict.repeatAfter, drafts)) {
        throw new WrongRevision(stream, expected, actualRevision(state));
      }
      return lastOf(stream, verdict.repeatAfter + drafts.length);
    },
    async *read(stream, after = -1) {
      const { base, positions } = streamOf(stream);
      const from = Math.max(0, after - base);
      yield* await codec.decode(positions.slice(from).map(textAt));
    },
    follow: ({ after, families, max, signal }) =>
      followLog({
        after: after === 'start' ? START : after,
        signal,
        isClosed: () => false,
        readBatch: (from) => readBatch(Number(from), new Set(families), max),
        growth: wakeup.count,
        wait: wakeup.wait,
      }),
    local: {
      at: async (positions) => codec.decode(positions.flatMap((position) => log[Number(position)]?.text ?? [])),
      probe: () => Promise.resolve(),
    },
    async erase(stream) {
      const { positions } = streamOf(stream);
      for (const position of positions) log[position] = undefined;
      if (positions.length > 0) streams.set(stream, { base: stateOf(stream).current, positions: [] });
    },
  };

  function head(): LogPosition {
    return logPosition(log.length - 1);
  }

  function streamOf(stream: StreamName): Stream {
    return streams.get(stream) ?? EMPTY_STREAM;
  }

  function stateOf(stream: StreamName) {
    const { base, positions } = streamOf(stream);
    return { base, current: base + positions.length };
  }

  function textAt(position: number): string {
    return log[position]?.text ?? '';
  }

  function lastOf(stream: StreamName, revision: Revision) {
    const { base, positions } = streamOf(stream);
    return { revision, position: logPosition(positions[revision - base - 1] ?? 0) };
  }

  function store(stream: StreamName, drafts: readonly string[]) {
    const { base, positions } = streamOf(stream);
    const placed = [...positions];
    for (const draft of drafts) {
      const text = addPosition(draft, base + 1 + placed.length, log.length);
      placed.push(log.push({ family: familyOf(stream), text }) - 1);
    }
    streams.set(stream, { base, positions: placed });
    wakeup.wake();
    return lastOf(stream, base + placed.length);
  }

  function isStored(stream: StreamName, after: Revision, drafts: readonly string[]): boolean {
    const { base, positions } = streamOf(stream);
    const stored = positions.slice(after - base, after - base + drafts.length).map(textAt);
    return (
      stored.length === drafts.length && stored.every((text, i) => readEventId(text) === readEventId(drafts[i] ?? ''))
    );
  }

  async function readBatch(from: number, wanted: ReadonlySet<Family>, max: number): Promise<Feed> {
    const newest = log.length - 1;
    const texts: string[] = [];
    let at = Math.min(from, newest);
    while (at < newest && texts.length < max) {
      const row = log[++at];
      if (row && wanted.has(row.family)) texts.push(row.text);
    }
    const events = await codec.decode(texts);
    return { events, upTo: logPosition(Math.max(at, from)), caughtUp: at === newest };
  }
}
