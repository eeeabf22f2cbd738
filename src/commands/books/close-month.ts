// Closes a month of the books: the frozen figures are recorded in parts first, then the closing, by which they count.
import { hash } from 'node:crypto';
import { packText } from '../../adapters/books/packed-text.js';
import {
  closingPartsDecider,
  closingsDecider,
  mayClose,
  type ClosingsBase,
  type ClosingsState,
} from '../../domain/books/closings.js';
import type { LogPosition } from '../../domain/envelope.js';
import { streams } from '../../domain/streams.js';
import { contextOf, type Deps, type Requester } from '../handling/deps.js';
import { load, runCommand } from '../handling/run-command.js';

/** `lines`: the frozen figures, then each comparison, as JSON. */
export type NewClosing = {
  readonly projectId: string;
  readonly month: string;
  readonly basedOn: ClosingsBase;
  readonly lines: Iterable<string>;
  readonly entries: number;
  readonly position: LogPosition | null;
  readonly totals: readonly { readonly currency: string; readonly oursMicros: number; readonly storeMicros: number }[];
  readonly incompleteReason: string | null;
};

/** Text of a part before it is compressed. */
const PART_LENGTH = 1_000_000;

/** Returns the closings as they are in the log, and null if the month is closed already. Throws {@link Rejection} if it cannot be closed. */
export async function prepareClosing(
  deps: Pick<Deps, 'log'>,
  projectId: string,
  month: string,
): Promise<{ readonly state: ClosingsState | null; readonly position: LogPosition | null }> {
  const { state, position } = await load(deps.log, streams.bookClosings(projectId), closingsDecider);
  return { state: mayClose(month, state) ? state : null, position };
}

/** Throws {@link Rejection} if the books changed meanwhile. Safe to repeat, also after an interruption. */
export async function closeMonth(deps: Deps, by: Requester, closing: NewClosing): Promise<LogPosition | null> {
  const { projectId, month, basedOn, entries, position, totals, incompleteReason } = closing;
  const parts = await packLines(closing.lines);
  const digest = deps.hash(
    'closing',
    projectId,
    month,
    basedOn.lastClosingId ?? '',
    ...parts.map(({ digest }) => digest),
  );
  const closingId = `cls_${digest}`;
  const ctx = contextOf(by, projectId);
  const stream = streams.books(projectId, closingId);
  for (const [part, { rows }] of parts.entries()) {
    const recorded = { projectId, closingId, part, rows };
    await runCommand(deps, stream, closingPartsDecider, [recorded], { ...ctx, commandId: `part|${part}` });
  }
  const data = { month, closingId, parts: parts.length, entries, position, totals: [...totals], incompleteReason };
  const command = { kind: 'close' as const, closing: data, basedOn };
  return (await runCommand(deps, streams.bookClosings(projectId), closingsDecider, [command], ctx)).position;
}

async function packLines(lines: Iterable<string>) {
  const parts: { readonly rows: string; readonly digest: string }[] = [];
  let batch: string[] = [];
  let length = 0;
  const flush = async () => {
    const rows = await packText(`[${batch.join(',')}]`);
    parts.push({ rows, digest: hash('sha256', rows) });
    [batch, length] = [[], 0];
  };
  for (const line of lines) {
    batch.push(line);
    length += line.length;
    if (length >= PART_LENGTH) await flush();
  }
  if (batch.length > 0) await flush();
  return parts;
}
