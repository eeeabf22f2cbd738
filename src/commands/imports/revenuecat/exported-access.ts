// Access of customers according to RevenueCat's export of transactions: which entitlements a row unlocks, and until when.
import type { OpenedFile } from '../../../adapters/imports/port.js';
import type { AccessHolding, AccessSource } from '../../../domain/comparison/access.js';
import { Rejection } from '../../../domain/errors.js';
import type { FileRow } from '../../../domain/imports/problems.js';
import { storeOfRevenueCatName } from '../../../domain/store-kinds.js';
import { earliest, isoFromMs, latest } from '../../../domain/time.js';
import { booleanIn, listIn, requiredText, textIn, timeIn, UnreadableCell } from './cells.js';
import { refundShareIn } from './transactions.js';

/** `ids`: customers with a row, under the name last used. `exportedAt`: newest change in the files; null if they contain no times. */
export type ExportedAccess = {
  readonly source: AccessSource;
  readonly ids: readonly string[];
  readonly exportedAt: string | null;
  /** Rows that cannot be read, and the first of them with its reason. */
  readonly unreadable: { readonly count: number; readonly first: string | null };
};

const REQUIRED = ['rc_original_app_user_id', 'store', 'store_transaction_id', 'entitlement_identifiers', 'end_time'];
const PROMOTIONAL = 'promotional';
/** Age of an end until which a row is kept: an export is older than the comparison. */
const KEPT_MS = 31 * 86_400_000;

type Row = { readonly updatedAt: string; readonly holdings: readonly AccessHolding[] };

/** Reads all files. Throws `UnreadableFile`, and {@link Rejection} for a file that is no such export. `now`: UTC ms. */
export async function readExportedAccess(
  files: readonly OpenedFile[],
  now: number,
  signal: AbortSignal,
): Promise<ExportedAccess> {
  const rowsOf = new Map<string, Map<string, Row>>();
  let exportedAt: string | null = null;
  let [count, first]: [number, string | null] = [0, null];
  for (const file of files) {
    for await (const row of tableRows(file)) {
      signal.throwIfAborted();
      try {
        const { appUserId, key, updatedAt, holdings } = readRow(row);
        if (updatedAt > (exportedAt ?? '')) exportedAt = updatedAt;
        const known = rowsOf.get(appUserId) ?? new Map<string, Row>();
        rowsOf.set(appUserId, known);
        const former = known.get(key);
        const isRecent = holdings.some(({ periodEndsAt: end }) => end === null || Date.parse(end) > now - KEPT_MS);
        if (former ? updatedAt >= former.updatedAt : isRecent) known.set(key, { updatedAt, holdings });
      } catch (err) {
        if (!(err instanceof UnreadableCell)) throw err;
        count++;
        first ??= `${row.from.file}, row ${row.from.row}: ${err.message}`;
      }
    }
  }
  const accessOf = async (appUserId: string) => {
    const rows = rowsOf.get(appUserId);
    if (!rows) return { status: 'unknown' as const, holdings: [] };
    return { status: 'known' as const, holdings: [...rows.values()].flatMap(({ holdings }) => holdings) };
  };
  return {
    source: { name: "RevenueCat's export", accessOf },
    ids: [...rowsOf.keys()],
    exportedAt,
    unreadable: { count, first },
  };
}

function tableRows(file: OpenedFile): AsyncIterable<FileRow> {
  const columns = new Set(file.format === 'table' ? file.columns : []);
  const missing = REQUIRED.filter((column) => !columns.has(column));
  if (file.format === 'table' && missing.length === 0) return file.rows();
  const text = `${file.name} lacks the columns ${missing.join(', ')}; give an export of transactions that contains them`;
  throw new Rejection('invalid', 'import-columns', text);
}

/** The contract's end is kept in `periodEndsAt`. An effective end before it, else a refund of the whole price, ends the access early. */
function readRow({ values }: FileRow) {
  const original = requiredText(values, 'rc_original_app_user_id');
  const store = requiredText(values, 'store');
  const end = timeIn(values, 'end_time');
  const graceEnd = timeIn(values, 'grace_period_end_time');
  const effective = timeIn(values, 'effective_end_time');
  const graced = end === null || graceEnd === null ? end : latest(end, graceEnd);
  const accessEnd = effective ?? graced;
  const isEarly = end !== null && effective !== null && effective < end;
  const refundedAt = refundShareIn(values) === 1 && !isEarly ? timeIn(values, 'refunded_at') : null;
  const place = {
    periodEndsAt: end,
    endsAt: refundedAt === null || accessEnd === null ? (refundedAt ?? accessEnd) : earliest(refundedAt, accessEnd),
    isGrant: store === PROMOTIONAL,
    isSandbox: booleanIn(values, 'is_sandbox'),
    store: store === PROMOTIONAL ? null : (storeOfRevenueCatName(store) ?? store),
  };
  return {
    appUserId: textIn(values, 'rc_last_seen_app_user_id_alias') ?? original,
    key: `${store}|${requiredText(values, 'store_transaction_id')}`,
    updatedAt: timeIn(values, 'updated_at') ?? isoFromMs(0),
    holdings: listIn(values, 'entitlement_identifiers').map((entitlement): AccessHolding => ({
      entitlement,
      ...place,
    })),
  };
}
