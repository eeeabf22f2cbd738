// Parked events, which a reaction could not handle: listed, and retried on request. The request is stored in the record, where the process
// that runs the reaction finds it.
import { storedStreamName } from '../../domain/streams.js';
import type { Doc, DocStore } from '../../adapters/documents/port.js';
import { collectRows, replaceRecord } from '../../adapters/documents/records.js';
import type { EventLog } from '../../adapters/event-log/port.js';
import { Unavailable } from '../../domain/errors.js';
import type { RecordedEvent } from '../../domain/envelope.js';
import { isoFromMs } from '../../domain/time.js';
import { parkedEventCollection, RETRY_REQUEST_FIELD } from '../../commands/handling/parked-events.js';
import type { Reaction, ReactionDeps } from './reaction.js';
import { superviseRounds } from '../coordination/supervise.js';

export type ParkedEvent = {
  readonly id: string;
  readonly reaction: string;
  readonly eventId: string;
  readonly stream: string;
  readonly error: string;
  /** ISO time of a pending retry request; else empty. */
  readonly retryRequestedAt: string;
};

type StoredEvent = ParkedEvent & { readonly guard: string; readonly doc: Doc };

const { name: c } = parkedEventCollection;
const INTERVAL_MS = 1000;
const PAGE = 500;

export async function listParkedEvents(docs: DocStore): Promise<readonly ParkedEvent[]> {
  return (await scanAll(docs, {})).map(({ guard: _guard, doc: _doc, ...event }) => event);
}

/** Requests a retry of one event by the id of its record or its own, or of all. Returns the ids of the records to retry. */
export async function requestRetry(docs: DocStore, nowMs: number, eventId: string | null): Promise<readonly string[]> {
  const requested: string[] = [];
  for (const parked of await scanAll(docs, {})) {
    if (eventId !== null && eventId !== parked.id && eventId !== parked.eventId) continue;
    if (await replaceParked(docs, parked, { ...parked.doc, [RETRY_REQUEST_FIELD]: isoFromMs(nowMs) }))
      requested.push(parked.id);
  }
  return requested;
}

/** Runs until the signal aborts. */
export function runRetries(reactions: readonly Reaction[], deps: ReactionDeps, signal: AbortSignal): Promise<void> {
  return superviseRounds('retries of parked events', INTERVAL_MS, deps, signal, () =>
    retryRequested(reactions, deps, signal),
  );
}

/** Retries requested events once, oldest first. A request stays pending while a dependency is unavailable. */
export async function retryRequested(
  reactions: readonly Reaction[],
  { log, docs, logger }: Pick<ReactionDeps, 'log' | 'docs' | 'logger'>,
  signal: AbortSignal,
): Promise<void> {
  for (const parked of await scanAll(docs, { index: 'retry', from: '0' })) {
    if (signal.aborted) return;
    const reaction = reactions.find((r) => r.name === parked.reaction);
    const event = await eventOf(log, parked);
    try {
      if (!reaction) throw new Error(`this version has no reaction named ${parked.reaction}`);
      reaction.resetCache?.();
      // An erased event needs no handling any more.
      if (event) await reaction.handle(event);
      await replaceParked(docs, parked, null);
      logger.info({ reaction: parked.reaction, eventId: parked.eventId }, 'parked event handled');
    } catch (err) {
      if (err instanceof Unavailable) throw err;
      const error = err instanceof Error ? (err.stack ?? err.message) : String(err);
      logger.error(
        { reaction: parked.reaction, eventId: parked.eventId, stack: error },
        'retry of parked event failed',
      );
      await replaceParked(docs, parked, { ...parked.doc, error, [RETRY_REQUEST_FIELD]: '' });
    }
  }
}

async function eventOf(log: EventLog, { stream, eventId }: ParkedEvent): Promise<RecordedEvent | null> {
  for await (const event of log.read(storedStreamName(stream))) if (event.id === eventId) return event;
  return null;
}

async function scanAll(docs: DocStore, o: { readonly index?: string; readonly from?: string }): Promise<StoredEvent[]> {
  const all = { index: 'reaction', eq: [], limit: PAGE, ...o };
  const rows = await collectRows(all, (scan) => docs.scan(c, scan));
  return rows.map((row) => ({ ...row, ...fieldsOf(row.doc) }));
}

function fieldsOf(doc: Doc): Omit<ParkedEvent, 'id'> {
  const text = (field: string) => String(doc[field] ?? '');
  const [reaction, eventId, stream] = [text('reaction'), text('eventId'), text('stream')];
  return { reaction, eventId, stream, error: text('error'), retryRequestedAt: text(RETRY_REQUEST_FIELD) };
}

/** Replaces the record; returns false after a concurrent write. */
async function replaceParked(docs: DocStore, stored: StoredEvent, doc: Doc | null): Promise<boolean> {
  return (await replaceRecord(docs, c, stored, doc)) !== null;
}
