// Claims of imports: one run executes an import at a time, in whichever process. A claim expires, so that another run continues after a
// crash; the fence of every later write then ends a run that was only slow.
import type { DocStore } from '../../adapters/documents/port.js';
import { updateRecord } from '../../adapters/documents/records.js';
import { isoFromMs } from '../../domain/time.js';
import type { Deps } from '../handling/deps.js';
import { importCollection, isFinished, type ImportRecord } from './import-records.js';

type Needs = Pick<Deps, 'docs' | 'runtime'>;
export type RunningImport = Pick<ImportRecord, 'importId'> & { readonly runId: string };
type ImportChanges = Partial<
  Pick<ImportRecord, 'state' | 'progress' | 'begin' | 'recorded' | 'report' | 'problem' | 'finishedAt'>
>;

const { name: c } = importCollection;
/** Longer than any time without progress, and than clocks of servers differ. */
const CLAIM_MS = 120_000;

/** The claim of a run expired and another run has the import, or the import was deleted. */
export class ImportClaimLost extends Error {
  constructor() {
    super('another run has the import');
    this.name = 'ImportClaimLost';
  }
}

/** Claims a waiting or interrupted import for a run. Returns null if another run has it, or if there is nothing to run. */
export async function claimImport(
  { docs, runtime }: Needs,
  { importId, runId }: RunningImport,
): Promise<ImportRecord | null> {
  const { doc, isChanged } = await updateRecord(docs, c, importId, (stored) => {
    const record = stored as ImportRecord | null;
    if (!record || isFinished(record) || record.state === 'checked' || isHeld(record, docs, runtime.now()))
      return undefined;
    return { ...record, state: 'running', problem: null, claim: claimOf(runtime.now(), runId) };
  });
  return isChanged ? (doc as ImportRecord | null) : null;
}

/** Only one process writes a local store, and runs one import after another: a claim in it is of a process that ended. */
function isHeld({ claim }: ImportRecord, docs: DocStore, nowMs: number): boolean {
  return docs.local === null && claim !== null && claim.until > isoFromMs(nowMs);
}

function claimOf(nowMs: number, runId: string) {
  return { runId, until: isoFromMs(nowMs + CLAIM_MS) };
}

/** Changes the record of a run's import and renews the claim. Throws {@link ImportClaimLost}. */
export function changeRunning({ docs, runtime }: Needs, run: RunningImport, changes: ImportChanges): Promise<void> {
  return changeClaimed(docs, run, (record) => ({ ...record, ...changes, claim: claimOf(runtime.now(), run.runId) }));
}

/** Changes the record and releases the claim. Throws {@link ImportClaimLost}. */
export function releaseImport(
  { docs }: Pick<Needs, 'docs'>,
  run: RunningImport,
  changes: ImportChanges,
): Promise<void> {
  return changeClaimed(docs, run, (record) => ({ ...record, ...changes, claim: null }));
}

async function changeClaimed(
  docs: DocStore,
  { importId, runId }: RunningImport,
  change: (record: ImportRecord) => ImportRecord,
): Promise<void> {
  await updateRecord(docs, c, importId, (stored) => {
    const record = stored as ImportRecord | null;
    if (record?.claim?.runId !== runId) throw new ImportClaimLost();
    return change(record);
  });
}
