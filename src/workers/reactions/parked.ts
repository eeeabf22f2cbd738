// Events that a reaction could not handle, and parked: listed, and tried again on request. The request is written into the record, where
// the process that runs the reaction finds it.
import type { Doc, DocStore } from '../../adapters/documents/port.js';
import { allPages, replaceRecord } from '../../adapters/documents/records.js';
import type { EventLog } from '../../adapters/event-log/port.js';
import { Unavailable } from '../../domain/errors.js';
import type { RecordedEvent, StreamName } from '../../domain/envelope.js';
import { isoFromMs } from '../../domain/time.js';
import { parkedEventCollection } from '../../commands/handling/parked-events.js';
import type { Reaction, ReactionDeps } from './reaction.js';
import { superviseRounds } from '../coordination/supervise.js';

export type ParkedEvent = {
  readonly id: string;
  readonly reaction: string;
  readonly eventId: string;
  readonly stream: string;
  readonly error: string;
  /** ISO; empty unless it is to be tried again and was not yet. */
  readonly askedAt: string;
};

type StoredEvent = ParkedEvent & { readonly guard: string; readonly doc: Doc };

const { name: c } = parkedEventCollection;
const EVERY_MS = 1000;
const PAGE = 500;

export async function listParkedEvents(docs: DocStore): Promise<readonly ParkedEvent[]> {
  return (await scanAll(docs, {})).map(({ guard: _guard, doc: _doc, ...event }) => event);
}

/** Asks for one by its id or its event's, or for all. Returns the ids of what is to be tried. */
export async function askRetry(docs: DocStore, nowMs: number, named: string | null): Promise<readonly string[]> {
  const asked: string[] = [];
  for (const parked of await scanAll(docs, {})) {
    if (named !== null && named !== parked.id && named !== parked.eventId) continue;
    if (await put(docs, parked, { ...parked.doc, askedAt: isoFromMs(nowMs) })) asked.push(parked.id);
  }
  return asked;
}

/** Runs until the signal aborts. */
export function runRetries(reactions: readonly Reaction[], deps: ReactionDeps, signal: AbortSignal): Promise<void> {
  return superviseRounds('retries of parked events', EVERY_MS, deps, signal, () => retryAsked(reactions, deps, signal));
}

/** One round, oldest first. An event stays requested while a dependency is away. */
export async function retryAsked(
  reactions: readonly Reaction[],
  { log, docs, logger }: Pick<ReactionDeps, 'log' | 'docs' | 'logger'>,
  signal: AbortSignal,
): Promise<void> {
  for (const parked of await scanAll(docs, { index: 'asked', from: '0' })) {
    if (signal.aborted) return;
    const reaction = reactions.find((r) => r.name === parked.reaction);
    const event = await eventOf(log, parked);
    try {
      if (!reaction) throw new Error(`this version has no reaction named ${parked.reaction}`);
      reaction.forget?.();
      // An erased event is nobody's any more.
      if (event) await reaction.handle(event);
      await put(docs, parked, null);
      logger.info({ reaction: parked.reaction, eventId: parked.eventId }, 'parked event handled');
    } catch (err) {
      if (err instanceof Unavailable) throw err;
      const error = err instanceof Error ? (err.stack ?? err.message) : String(err);
      logger.error({ reaction: parked.reaction, eventId: parked.eventId, stack: error }, 'event stays parked');
      await put(docs, parked, { ...parked.doc, error, askedAt: '' });
    }
  }
}

async function eventOf(log: EventLog, { stream, eventId }: ParkedEvent): Promise<RecordedEvent | null> {
  for await (const event of log.read(stream as StreamName)) if (event.id === eventId) return event;
  return null;
}

async function scanAll(docs: DocStore, o: { readonly index?: string; readonly from?: string }): Promise<StoredEvent[]> {
  const found: StoredEvent[] = [];
  const all = { index: 'reaction', eq: [], limit: PAGE, ...o };
  for await (const rows of allPages(all, (scan) => docs.scan(c, scan))) {
    for (const row of rows) found.push({ ...row, ...fieldsOf(row.doc) });
  }
  return found;
}

function fieldsOf(doc: Doc): Omit<ParkedEvent, 'id'> {
  const text = (field: string) => String(doc[field] ?? '');
  const [reaction, eventId, stream] = [text('reaction'), text('eventId'), text('stream')];
  return { reaction, eventId, stream, error: text('error'), askedAt: text('askedAt') };
}

/** False when somebody else changed it meanwhile. */
async function put(docs: DocStore, stored: StoredEvent, doc: Doc | null): Promise<boolean> {
  return (await replaceRecord(docs, c, stored, doc)) !== null;
}
