// Reads the lines of a stored report from the log, with the reader of today.
import { unpackText } from '../../adapters/books/packed-text.js';
import { readStream, type EventLog } from '../../adapters/event-log/port.js';
import type { ReportLine } from '../../domain/books/lines.js';
import { createRowReader } from '../../domain/books/read-report.js';
import { streams } from '../../domain/streams.js';

const LINES_PER_SLICE = 100;

type StoredRow = [line: number, ...cells: string[]];

/** `slice` resolves when background work may continue. Returns the lines of a report; none of one that is not there, or whose project's data key is gone. */
export async function readReportLines(
  log: Pick<EventLog, 'read'>,
  projectId: string,
  reportId: string,
  slice: () => Promise<void>,
): Promise<readonly ReportLine[]> {
  const lines: ReportLine[] = [];
  const reader = createRowReader((line) => lines.push(line));
  const share = createSharing();
  for await (const event of readStream(log, streams.books(projectId, reportId))) {
    if (event.type !== 'StoreReportPartReceived' || event.data.rows === null) continue;
    const text = await unpackText(event.data.rows);
    for (const [line, ...cells] of JSON.parse(text) as readonly StoredRow[]) {
      reader.add(line, cells.map(share));
      if (lines.length % LINES_PER_SLICE === 0) await slice();
    }
  }
  return lines;
}

const MAX_SHARED_TEXTS = 10_000;

/** Returns a function that returns the same text for equal ones, so that the lines of a report do not each have a copy of their product. */
function createSharing(): (text: string) => string {
  const texts = new Map<string, string>();
  return (text) => {
    const shared = texts.get(text);
    if (shared !== undefined) return shared;
    if (texts.size >= MAX_SHARED_TEXTS) texts.clear();
    texts.set(text, text);
    return text;
  };
}
