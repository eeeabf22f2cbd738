// Reads the files of an import into the staging area: which kind each file is follows from its columns.
import { createHash } from 'node:crypto';
import type { ImportStaging, OpenedFile } from '../../adapters/imports/port.js';
import { Rejection } from '../../domain/errors.js';
import type { ImportContext } from '../../domain/imports/context.js';
import { importedLine, type ImportedFact } from '../../domain/imports/facts.js';
import type { FileRow, ImportProblem, ReadRow } from '../../domain/imports/problems.js';
import { addDuration, earliest, latest } from '../../domain/time.js';
import { orProblem, unknownCustomer } from './revenuecat/cells.js';
import {
  knownCustomerColumns,
  knownTokenColumns,
  readCustomer,
  readToken,
  requiredCustomerColumns,
  requiredTokenColumns,
} from './revenuecat/customers.js';
import {
  knownTransactionColumns,
  optionalTransactionColumns,
  readTransaction,
  requiredTransactionColumns,
} from './revenuecat/transactions.js';

export const fileKinds = ['transactions', 'customers', 'tokens', 'neutral'] as const;

/** `missing`: columns that the file lacks, with what follows from it. */
type ReadFile = {
  readonly name: string;
  readonly kind: (typeof fileKinds)[number];
  readonly rows: number;
  readonly ignoredColumns: readonly string[];
  readonly missing: readonly { readonly column: string; readonly consequence: string }[];
};

export type ReadFiles = {
  readonly files: readonly ReadFile[];
  /** SHA-256 of the facts, the project and the options, in hexadecimal: another file or option is another digest. */
  readonly digest: string;
  /** Time up to which the files know renewals, ISO 8601 UTC; null if they contain no purchase. */
  readonly exportedAt: string | null;
};

type Needs = Pick<ImportContext, 'now' | 'options' | 'projectId'>;

/** Number of rows before other work gets its turn. */
const ROWS_PER_TURN = 200;

/**
 * Stages all facts. `addProblem` receives the problems. Throws `UnreadableFile`, {@link Rejection} for a file that lacks required columns, and
 * the reason of the signal.
 */
export async function readFiles(
  files: readonly OpenedFile[],
  staging: ImportStaging,
  needs: Needs,
  o: {
    readonly addProblem: (problem: ImportProblem) => void;
    readonly progress: (done: { readonly bytes: number; readonly rows: number }) => void;
    readonly signal: AbortSignal;
  },
): Promise<ReadFiles> {
  const digest = createHash('sha256').update(JSON.stringify([needs.projectId, needs.options]));
  const read: ReadFile[] = [];
  const kinds = files.map((file) => (file.format === 'lines' ? null : tableOf(file)));
  const newest = createNewestTimes();
  let [bytesBefore, allRows] = [0, 0];
  for (const [index, file] of files.entries()) {
    let rows = 0;
    for await (const { facts, problems, writtenAt } of rowsOf(file, kinds[index] ?? null, needs)) {
      rows++;
      if (writtenAt !== undefined) newest.addStated(earliest(writtenAt, needs.now));
      for (const problem of problems) o.addProblem(problem);
      for (const fact of facts) {
        digest.update(JSON.stringify({ ...fact, from: null }));
        newest.add(fact);
      }
      staging.add(facts);
      if (rows % ROWS_PER_TURN === 0) {
        o.signal.throwIfAborted();
        o.progress({ bytes: bytesBefore + file.bytesRead(), rows: allRows + rows });
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
    bytesBefore += file.size;
    allRows += rows;
    read.push({ ...describeFile(file, kinds[index] ?? null), rows });
  }
  o.progress({ bytes: bytesBefore, rows: allRows });
  return { files: read, digest: digest.digest('hex'), exportedAt: newest.exportedAt() };
}

/** Stores report a renewal up to a day before it begins. */
const EARLY_RENEWAL = 'P-1D';

/** Finds the time that a file states, or the newest change of a purchase; without both, the latest purchase is the best that is known. */
function createNewestTimes() {
  let [changed, bought] = ['', ''];
  let stated: string | null = null;
  return {
    /** The oldest of several files counts. */
    addStated: (writtenAt: string) => {
      stated = earliest(writtenAt, stated ?? writtenAt);
    },
    add: ({ purchase, updatedAt }: ImportedFact) => {
      if (!purchase) return;
      changed = latest(changed, updatedAt);
      bought = latest(bought, purchase.purchasedAt);
    },
    exportedAt: () => stated ?? (changed !== '' ? changed : bought === '' ? null : addDuration(bought, EARLY_RENEWAL)),
  };
}

type Table = {
  readonly kind: Exclude<ReadFile['kind'], 'neutral'>;
  readonly known: ReadonlySet<string>;
  readonly optional: Readonly<Record<string, string>>;
  readonly read: (row: FileRow, needs: Needs) => ReadRow;
};

const transactions: Table = {
  kind: 'transactions',
  known: knownTransactionColumns,
  optional: optionalTransactionColumns,
  read: readTransaction,
};
const customers: Table = { kind: 'customers', known: knownCustomerColumns, optional: {}, read: readCustomer };
const tokens: Table = { kind: 'tokens', known: knownTokenColumns, optional: {}, read: readToken };

/** Finds the kind of a table by its columns. Throws {@link Rejection}, which names what is missing. */
function tableOf(file: Extract<OpenedFile, { format: 'table' }>): Table {
  const columns = new Set(file.columns);
  const missing = (required: readonly string[]) => required.filter((column) => !columns.has(column));
  if (missing(requiredTransactionColumns).length === 0) return transactions;
  if (missing(requiredTokenColumns).length === 0) return tokens;
  const looksLikeTransactions = columns.has('store_transaction_id') || columns.has('rc_original_app_user_id');
  if (missing(requiredCustomerColumns).length === 0 && !looksLikeTransactions) return customers;
  const names = missing(requiredTransactionColumns).join(', ');
  const hint = file.columns.length === 1 ? ', separated by commas, semicolons or tabs' : '';
  throw new Rejection(
    'invalid',
    'import-columns',
    `${file.name} lacks the columns ${names}; export it with them${hint}`,
  );
}

async function* rowsOf(file: OpenedFile, table: Table | null, needs: Needs): AsyncIterable<ReadRow> {
  if (file.format === 'lines') {
    for await (const { from, line } of file.lines()) yield readNeutralLine(from, line);
    return;
  }
  if (!table) throw new Error(`${file.name} has no table`);
  for await (const row of file.rows()) yield table.read(row, needs);
}

function describeFile(file: OpenedFile, table: Table | null): Omit<ReadFile, 'rows'> {
  if (file.format === 'lines' || !table) return { name: file.name, kind: 'neutral', ignoredColumns: [], missing: [] };
  const columns = new Set(file.columns);
  return {
    name: file.name,
    kind: table.kind,
    ignoredColumns: file.columns.filter((column) => !table.known.has(column)),
    missing: Object.entries(table.optional)
      .filter(([column]) => !columns.has(column))
      .map(([column, consequence]) => ({ column, consequence })),
  };
}

/** `line`: the parsed JSON of the line. */
export function readNeutralLine(from: FileRow['from'], line: unknown): ReadRow {
  return orProblem(from, () => {
    const parsed = importedLine.parse(line);
    if (parsed.type === 'export') return { facts: [], problems: [], writtenAt: parsed.writtenAt };
    const about = {
      customerKey: parsed.appUserId,
      isOriginal: false,
      updatedAt: '',
      from,
      customer: unknownCustomer(parsed.appUserId),
      purchase: null,
      grant: null,
      token: null,
    };
    const { type, ...rest } = parsed;
    switch (type) {
      case 'customer':
        return { facts: [{ ...about, updatedAt: parsed.lastSeenAt ?? '', customer: parsed }], problems: [] };
      default:
        return { facts: [{ ...about, [type]: rest }], problems: [] };
    }
  });
}
