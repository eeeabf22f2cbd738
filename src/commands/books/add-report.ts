// Adds a store's report to the books of a project. The whole file is read before anything is recorded: books do not skip a line.
import { packText } from '../../adapters/books/packed-text.js';
import type { ReportFiles } from '../../adapters/books/port.js';
import { placesOfBuyersIn, recognizeHeader } from '../../domain/books/columns.js';
import { ALL_ACCOUNTS } from '../../domain/books/counted-reports.js';
import type { ReceivedReport } from '../../domain/books/events.js';
import type { ReadReport, ReportKind } from '../../domain/books/lines.js';
import { createRowReader } from '../../domain/books/read-report.js';
import { reportDecider, type ReportState } from '../../domain/books/report.js';
import type { LogPosition } from '../../domain/envelope.js';
import { Rejection, UploadRefused } from '../../domain/errors.js';
import { storeOfReport } from '../../domain/store-kinds.js';
import { streams } from '../../domain/streams.js';
import { contextOf, type Deps, type Requester } from '../handling/deps.js';
import { load, runCommand } from '../handling/run-command.js';

export type NewReport = {
  readonly projectId: string;
  readonly fileName: string;
  /** Payments profile or vendor number; null: as the name of the file states it. */
  readonly account: string | null;
  readonly content: AsyncIterable<Uint8Array>;
  /** True for a file that is compressed anew for each download, with other bytes: it is the same if what is in it is the same. */
  readonly isPackedAnew?: boolean;
};

/** `isRepeat`: the same file was added before, and nothing was recorded. */
export type AddedReport = {
  readonly report: ReceivedReport;
  readonly isRepeat: boolean;
  readonly position: LogPosition | null;
};

/** Text of a part before it is compressed: an event has a few hundred kilobytes. */
const PART_LENGTH = 1_000_000;

/** Throws {@link Rejection} or `UploadRefused` for a file that cannot be read. Safe to repeat, also after an interruption. */
export async function addReport(
  deps: Deps,
  by: Requester,
  files: ReportFiles,
  { projectId, fileName, account, content, isPackedAnew = false }: NewReport,
): Promise<AddedReport> {
  const reader = createRowReader(() => undefined);
  const packer = createPacker();
  const file = await files.read(content, (line, cells) => {
    reader.add(line, cells);
    packer.add(line, cells);
  });
  const read = reader.end();
  const parts = await packer.end();
  const sha256 = isPackedAnew ? file.contentSha256 : file.sha256;
  const reportId = `rep_${deps.hash('report', projectId, sha256)}`;
  const stream = streams.books(projectId, reportId);
  const stored = await load(deps.log, stream, reportDecider);
  if (stored.state.received) return { report: stored.state.received, isRepeat: true, position: stored.position };
  const { kind, month, period, lines, totals, unknownColumns } = read;
  const part = partOf(read, fileName);
  const report: ReceivedReport = {
    ...{ reportId, kind, store: storeOfReport(kind), account: account ?? accountIn(fileName, kind), fileName },
    ...{
      sha256,
      month,
      ...(part !== null && { part }),
      ...period,
      lines,
      parts: parts.length,
      totals: [...totals],
    },
    unknownColumns: [...unknownColumns].slice(0, 50).map((name) => name.slice(0, 100)),
  };
  const ctx = contextOf(by, projectId);
  for (const [part, rows] of parts.entries()) {
    const command = { kind: 'addPart' as const, projectId, reportId, part, rows };
    await runCommand(deps, stream, reportDecider, [command], { ...ctx, commandId: `part|${part}` });
  }
  const end = await runCommand(deps, stream, reportDecider, [{ kind: 'receive', report }], {
    ...ctx,
    commandId: 'report',
  });
  return { report: receivedOf(end.state, report), isRepeat: false, position: end.position };
}

function receivedOf({ received }: ReportState, report: ReceivedReport): ReceivedReport {
  return received ?? report;
}

/** The names that the stores give: `earnings_202607_1234567890-1.zip` and `81234567_0726_Z1.txt`. */
const ACCOUNT_IN_NAME = [
  /(?:^|[\\/])earnings_\d{6}_([A-Za-z0-9]+(?:-\d+)*?)(?:-\d+)?(?:\.\w+){1,2}$/i,
  /(?:^|[\\/])(\d{7,10})_\d{4}_/,
];

function accountIn(fileName: string, kind: ReportKind): string {
  for (const pattern of ACCOUNT_IN_NAME) {
    const account = pattern.exec(fileName)?.[1];
    if (account !== undefined) return account;
  }
  // The name of a sales report has no account: it is of all payments profiles.
  if (kind === 'sales') return ALL_ACCOUNTS;
  const message =
    'the name of the file does not state its account; send `account`: the payments profile of the android-store, or the vendor number of the ios-store';
  throw new Rejection('invalid', 'account-missing', message);
}

/** The name of a financial report ends with its region: `81234567_0726_US.txt`; `ZZ` has all regions. */
const REGION_IN_NAME = /(?:^|[\\/])\d{7,10}_\d{4}_([A-Z]{2})\b/i;

/** Returns the region of a financial report, else its only currency; null for one of all regions. */
function partOf({ kind, totals }: ReadReport, fileName: string): string | null {
  if (kind !== 'financial') return null;
  const region = REGION_IN_NAME.exec(fileName)?.[1]?.toUpperCase();
  if (region !== undefined) return region === 'ZZ' ? null : region;
  const [currency, ...others] = new Set(totals.map((total) => total.currency));
  return others.length > 0 ? null : (currency ?? null);
}

/** Packs rows into the parts that are stored, without the columns that say where a buyer lives. */
function createPacker() {
  const parts: Promise<string>[] = [];
  let rows: string[] = [];
  let length = 0;
  let removed: readonly number[] | null = null;
  const flush = () => {
    if (rows.length > 0) parts.push(packText(`[${rows.join(',')}]`));
    [rows, length] = [[], 0];
  };
  return {
    add: (line: number, cells: readonly string[]): void => {
      if (removed === null && recognizeHeader(cells)) removed = placesOfBuyersIn(cells);
      const places = removed;
      const stored = places === null || places.length === 0 ? cells : cells.filter((_, i) => !places.includes(i));
      const text = JSON.stringify([line, ...stored]);
      rows.push(text);
      length += text.length;
      if (length >= PART_LENGTH) flush();
    },
    end: async (): Promise<readonly string[]> => {
      flush();
      return Promise.all(parts);
    },
  };
}

/** Files on this machine. `open` returns the content; it fails like a stream if the file cannot be read. */
export type LocalReportFiles = {
  readonly files: ReportFiles;
  readonly open: (path: string) => AsyncIterable<Uint8Array>;
};

/** Adds a file of this machine, for the command line. Throws {@link Rejection} also for a file that cannot be opened or is too large. */
export async function addReportFile(
  deps: Deps,
  { files, open }: LocalReportFiles,
  o: { readonly requestId: string; readonly projectId: string; readonly path: string; readonly account: string | null },
): Promise<Pick<AddedReport, 'report' | 'isRepeat'>> {
  const { requestId, projectId, path, account } = o;
  const project = (await deps.projects.load(streams.project(projectId))).state;
  if (!project) throw new Rejection('missing', 'project-unknown', 'project not found');
  const by: Requester = { actor: { kind: 'system', id: 'command line' }, requestId };
  const content = open(path);
  const fileName = path.split(/[\\/]/).at(-1) ?? path;
  try {
    const { report, isRepeat } = await addReport(deps, by, files, { projectId, fileName, account, content });
    return { report, isRepeat };
  } catch (err) {
    const code = err instanceof Error && 'code' in err ? String(err.code) : undefined;
    if (err instanceof UploadRefused) throw new Rejection('invalid', 'unreadable-report', err.message);
    if (code === undefined || !code.startsWith('E')) throw err;
    const message = `${path} cannot be read (${code}); check its path, and that the user of the service may read it`;
    throw new Rejection('invalid', 'unreadable-report', message);
  }
}
