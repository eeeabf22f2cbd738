// In-memory cache of the newest events of a log that only this process writes, in commit order. Followers rarely lag further, and most
// streams are read shortly after they were written: both are then served without reading and parsing the file.
import { createBoundedCache } from '../../bounded-cache.js';
import {
  logPosition,
  type LogPosition,
  type RecordedEvent,
  type Revision,
  type StreamName,
} from '../../../domain/envelope.js';
import { familyOf, type Family } from '../../../domain/streams.js';
import type { Codec, EncodedEvent } from '../codec.js';
import { addPosition } from '../placed-event.js';
import type { Feed } from '../port.js';

/** Cache of acknowledged appends, in log order. Undefined means not cached: read the file. */
export type RecentEvents = {
  /** Adds an append; call it for each one in commit order. A repeat, which the log already contains, changes nothing. */
  add(stream: StreamName, events: readonly EncodedEvent[], revision: Revision, position: number): void;
  /** Records that the stream was read from the file up to this last revision (-1: it is empty). */
  recordEnd(stream: StreamName, revision: Revision): void;
  read(stream: StreamName, after: Revision): Events | undefined;
  feed(after: LogPosition, families: ReadonlySet<Family>, max: number): Feed | Promise<Feed> | undefined;
  /** Returns the last position of an acknowledged append. */
  end(): number;
  /** Clears the cache, which then starts after `end`: something was erased, or the outcome of an append is unknown. */
  reset(end: number): void;
};

type Events = RecordedEvent[] | Promise<RecordedEvent[]>;
type Entry = {
  readonly stream: StreamName;
  readonly family: Family;
  readonly revision: Revision;
  readonly position: number;
  readonly size: number;
  /** An event, or its text, which is decoded on each read because the key of its sealed fields may be erased in the meantime. */
  readonly content: RecordedEvent | string;
};

export type RecentEventLimits = { readonly events: number; readonly characters: number; readonly ends: number };

/** Enough for a few seconds at a store's busiest hour. */
const LIMITS: RecentEventLimits = { events: 8192, characters: 32 * 1024 * 1024, ends: 16_384 };

export function createRecentEvents(codec: Codec, start: number, limits: RecentEventLimits = LIMITS): RecentEvents {
  let entries: Entry[] = [];
  /** Number of evicted entries at the front: they are removed many at a time. */
  let evictedCount = 0;
  let characters = 0;
  /** Position after which all events are cached. */
  let from = start;
  let end = start;
  const byStream = new Map<StreamName, Entry[]>();
  /** Last revisions of streams, the least recently used first. */
  const ends = createBoundedCache<StreamName, Revision>(limits.ends);

  const updateEnd = (stream: StreamName, revision: Revision) => {
    ends.set(stream, Math.max(ends.get(stream) ?? -1, revision));
  };
  const dropOldest = () => {
    const entry = entries[evictedCount++];
    if (!entry) return;
    from = entry.position;
    characters -= entry.size;
    const ofStream = byStream.get(entry.stream);
    ofStream?.shift();
    if (ofStream?.length === 0) byStream.delete(entry.stream);
    if (evictedCount < limits.events) return;
    entries = entries.slice(evictedCount);
    evictedCount = 0;
  };

  return {
    add(stream, events, lastRevision, last) {
      updateEnd(stream, lastRevision);
      if (last <= end) return;
      const family = familyOf(stream);
      const cached = byStream.get(stream);
      const sameStream = cached ?? [];
      if (!cached) byStream.set(stream, sameStream);
      events.forEach(({ text, decoded }, i) => {
        const back = events.length - 1 - i;
        const [revision, position] = [lastRevision - back, last - back];
        const content = decoded
          ? Object.freeze({ revision, position: logPosition(position), ...decoded })
          : addPosition(text, revision, position);
        const entry: Entry = { stream, family, revision, position, size: text.length, content };
        entries.push(entry);
        sameStream.push(entry);
        characters += entry.size;
      });
      end = last;
      while (entries.length - evictedCount > limits.events || characters > limits.characters) dropOldest();
    },
    recordEnd: updateEnd,
    read(stream, after) {
      const last = ends.get(stream);
      if (last === undefined) return undefined;
      if (last <= after) return [];
      const ofStream = byStream.get(stream);
      const isWhole =
        ofStream?.[0] !== undefined && ofStream[0].revision <= after + 1 && ofStream.at(-1)?.revision === last;
      return isWhole
        ? decodeAll(
            codec,
            ofStream.filter((e) => e.revision > after),
          )
        : undefined;
    },
    feed(after, families, max) {
      const first = Number(after);
      if (first < from) return undefined;
      const chosen: Entry[] = [];
      let upTo = Math.max(first, end);
      for (let i = indexAfter(entries, evictedCount, first); i < entries.length; i++) {
        const entry = entries[i];
        if (!entry || !families.has(entry.family)) continue;
        if (chosen.length === max) {
          upTo = chosen.at(-1)?.position ?? upTo;
          break;
        }
        chosen.push(entry);
      }
      const events = decodeAll(codec, chosen);
      const toFeed = (all: RecordedEvent[]): Feed => ({ events: all, upTo: logPosition(upTo), caughtUp: upTo >= end });
      return events instanceof Promise ? events.then(toFeed) : toFeed(events);
    },
    end: () => end,
    reset(position) {
      entries = [];
      evictedCount = 0;
      characters = 0;
      byStream.clear();
      ends.clear();
      from = end = position;
    },
  };
}

function decodeAll(codec: Codec, chosen: readonly Entry[]): Events {
  const texts = chosen.flatMap(({ content }) => (typeof content === 'string' ? content : []));
  if (texts.length === 0) return chosen.map(({ content }) => content as RecordedEvent);
  const filled = (opened: RecordedEvent[]): RecordedEvent[] => {
    const next = opened.values();
    return chosen.flatMap(({ content }) => (typeof content === 'string' ? (next.next().value ?? []) : content));
  };
  const opened = codec.decode(texts);
  return opened instanceof Promise ? opened.then(filled) : filled(opened);
}

/** Returns the index of the first entry after a position, from a start index on. */
function indexAfter(entries: readonly Entry[], start: number, after: number): number {
  let low = start;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((entries[middle]?.position ?? 0) > after) high = middle;
    else low = middle + 1;
  }
  return low;
}
