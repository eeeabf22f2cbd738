// The single checks of `subledger doctor`. Each reports its finding and, for a problem, the remedy.
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { dataFiles, diskSpaceAt } from '../../adapters/configuration/data-directory.js';
import type { DocStore } from '../../adapters/documents/port.js';
import { scanRecords } from '../../adapters/documents/records.js';
import type { EventLog } from '../../adapters/event-log/port.js';
import { keyIdOf, listWrappedKeys } from '../../adapters/keys/rewrap.js';
import type { Runtime } from '../../adapters/runtime.js';
import { checkFile, DamagedFile } from '../../adapters/sqlite/database.js';
import { dataKeyCollection, dataKeyPurpose, openText, type MasterKeys } from '../../adapters/keys/vault.js';
import type { DataLocation } from '../../adapters/engine/data-completeness.js';
import { reportSourceCollection } from '../../commands/books/report-sources.js';
import { findCredentialsCheck } from '../../commands/projects/credential-checks.js';
import { credentialCollection } from '../../commands/projects/credentials.js';
import { msFromIso } from '../../domain/time.js';
import { LOW_DISK_BYTES, type HealthReport } from '../../workers/coordination/health.js';
import { EXPIRY_MS, leaseCollection } from '../../workers/coordination/lease.js';

export type Check = { readonly name: string; readonly state: 'ok' | 'warn' | 'problem'; readonly detail: string };

const SLOW_MS = 1000;
const MAX_CHECKED = 1000;
const MAX_LISTED_APPS = 10;
const SKEW_MS = 2000;
const LATE_SECONDS = 60;
const DUE_SECONDS = 600;
const GIB = 2 ** 30;

/** Checks that the files of the data directory can be read to their last page; missing ones are reported when they are opened. */
export function checkFiles(config: DataLocation): readonly Check[] {
  const { log, documents } = dataFiles(config.DATA_DIR);
  const files = [...(config.EVENTSTORE_URL ? [] : [log]), ...(config.MONGODB_URL ? [] : [documents])];
  return files
    .filter((file) => existsSync(file))
    .map((file): Check => {
      const name = basename(file);
      try {
        checkFile(file);
        return { name, state: 'ok', detail: 'all pages are readable' };
      } catch (err) {
        if (err instanceof DamagedFile) return { name, state: 'problem', detail: err.message };
        throw err;
      }
    });
}

/** Measures the response time of a connection, or returns its error. */
export async function checkResponse(name: string, runtime: Runtime, work: () => Promise<string>): Promise<Check> {
  const startedAt = runtime.now();
  try {
    const found = await work();
    const ms = runtime.now() - startedAt;
    return { name, state: ms > SLOW_MS ? 'warn' : 'ok', detail: `${found}, in ${ms} ms` };
  } catch (err) {
    return { name, state: 'problem', detail: err instanceof Error ? err.message : String(err) };
  }
}

/** Opens the first data keys, to check that MASTER_KEY contains the keys with which they are wrapped. */
export async function checkKeyRing(docs: DocStore, masters: MasterKeys): Promise<Check> {
  const { rows } = await docs.scan(dataKeyCollection.name, { index: 'id', eq: [], limit: MAX_CHECKED });
  const wrapped = rows.flatMap(({ id, doc }) => listWrappedKeys(doc).map((text) => ({ id, text })));
  const closed = wrapped.filter(({ id, text }) => !canUnwrap(masters, id, text));
  const older = wrapped.filter(({ text }) => keyIdOf(text) !== masters[0].id).length;
  const of = `${wrapped.length} data keys checked`;
  const name = 'key ring';
  if (closed.length > 0) {
    const ids = [...new Set(closed.map(({ text }) => keyIdOf(text)))].join(', ');
    return {
      name,
      state: 'problem',
      detail: `${of}: ${closed.length} wrapped with ${ids} cannot be opened; add that key to MASTER_KEY`,
    };
  }
  const detail = `${of}, ${older} wrapped with an older key than ${masters[0].id}`;
  return { name, state: older > 0 ? 'warn' : 'ok', detail: older > 0 ? `${detail}: run keys rewrap` : detail };
}

function canUnwrap(masters: MasterKeys, subject: string, text: string): boolean {
  try {
    openText(masters, dataKeyPurpose(subject), text);
    return true;
  } catch {
    // The caller reports the reason once for all of them.
    return false;
  }
}

/** Checks that the newest event and the renewal times of leases are not in the future, which would mean that a clock is wrong. */
export async function checkClock(
  o: { readonly log: EventLog; readonly docs: DocStore },
  runtime: Runtime,
): Promise<Check> {
  const [newest] = (await o.log.local?.at([await o.log.head()])) ?? [];
  const { rows } = await o.docs.scan(leaseCollection.name, { index: 'id', eq: [], limit: MAX_CHECKED });
  const renewed = rows.map(({ doc }) => msFromIso(String(doc['until'])) - EXPIRY_MS);
  const writeTimes = [...renewed, ...(newest ? [msFromIso(newest.meta.recordedAt)] : [])];
  const aheadMs = Math.max(0, ...writeTimes.map((ms) => ms - runtime.now()));
  if (aheadMs <= SKEW_MS) return { name: 'clock', state: 'ok', detail: 'no time stamp is in the future' };
  const detail = `a time stamp is ${Math.round(aheadMs / 1000)} s in the future: synchronize the clocks of all machines by NTP`;
  return { name: 'clock', state: 'problem', detail };
}

/** Reports what the stores last responded to each app's credentials. They belong to a project, so that a refusal is a warning. */
export async function checkCredentials(docs: DocStore): Promise<Check> {
  const name = 'store credentials';
  const { rows } = await docs.scan(credentialCollection.name, { index: 'id', eq: [], limit: MAX_CHECKED });
  const found = await Promise.all(
    rows.map(async ({ id, doc }) => ({
      app: `${id} (${String(doc['store'])})`,
      ...(await findCredentialsCheck({ docs }, id)),
    })),
  );
  const faults = found.flatMap(({ app, valid, lastError }) => {
    if (valid !== true) return [`${app}: ${lastError ?? 'not used yet'}`];
    return lastError === null ? [] : [`${app}: ${lastError}`];
  });
  if (faults.length === 0) {
    const detail = rows.length === 0 ? 'no app has any' : `the stores accept those of ${rows.length} apps`;
    return { name, state: 'ok', detail };
  }
  return warnOfApps(name, faults, rows.length);
}

/** Reports which financial reports could not be fetched. Like credentials, they belong to a project. */
export async function checkReportSources(docs: DocStore): Promise<Check> {
  const name = 'report sources';
  const { rows } = await scanRecords(docs, reportSourceCollection.name, { index: 'id', eq: [], limit: MAX_CHECKED });
  const faults = rows.flatMap(({ id, doc: { store, lastLook } }) =>
    lastLook?.problem ? [`${id} (${store}): ${lastLook.problem.message}`] : [],
  );
  if (faults.length > 0) return warnOfApps(name, faults, rows.length);
  const detail = rows.length === 0 ? 'no app has any' : `the reports of ${rows.length} apps are fetched`;
  return { name, state: 'ok', detail };
}

function warnOfApps(name: string, faults: readonly string[], count: number): Check {
  const listed = faults.slice(0, MAX_LISTED_APPS).join('; ');
  const more = faults.length > MAX_LISTED_APPS ? `; and ${faults.length - MAX_LISTED_APPS} more` : '';
  return { name, state: 'warn', detail: `${faults.length} of ${count} apps: ${listed}${more}` };
}

/** `isServed` false: no worker runs, so a lag is only a warning. */
export function checkHealth(report: HealthReport, isServed: boolean): readonly Check[] {
  const { lagSeconds: lags, parkedEvents, parkedDocuments, haltedProjections, webhooks } = report;
  const late = Object.entries({ ...lags?.projections, ...lags?.reactions }).filter(([, s]) => s > LATE_SECONDS);
  const lateOnes = late.map(([name, seconds]) => `${name} ${Math.round(seconds)} s`).join(', ');
  const counts = Object.entries({ ...parkedEvents, ...parkedDocuments }).filter(([, n]) => n > 0);
  const parked = counts.map(([name, n]) => `${name} ${n}`).join(', ');
  const due = webhooks.oldestDueSeconds ?? 0;
  return [
    lateOnes === ''
      ? { name: 'lag', state: 'ok', detail: `none above ${LATE_SECONDS} s` }
      : { name: 'lag', state: isServed ? 'problem' : 'warn', detail: `too high: ${lateOnes}` },
    parked === ''
      ? { name: 'parked', state: 'ok', detail: 'none' }
      : {
          name: 'parked',
          state: 'problem',
          detail: `${parked}: list them with subledger parked, then run subledger parked retry`,
        },
    haltedProjections.length === 0
      ? { name: 'halted', state: 'ok', detail: 'none' }
      : { name: 'halted', state: 'problem', detail: `${haltedProjections.join(', ')}: see the log for the event` },
    due <= DUE_SECONDS
      ? { name: 'deliveries', state: 'ok', detail: `oldest due for ${Math.round(due)} s` }
      : { name: 'deliveries', state: 'warn', detail: `oldest due for ${Math.round(due)} s` },
  ];
}

/** Checks the free disk space of the data directory. */
export async function checkDisk(dataDir: string): Promise<Check> {
  const room = await diskSpaceAt(dataDir);
  if (!room)
    return { name: 'disk', state: 'problem', detail: `${dataDir} does not exist; stop the service and restore it` };
  const [free, share] = [room.free / GIB, room.free / room.all];
  const state = room.free < LOW_DISK_BYTES ? 'problem' : free < 2 || share < 0.05 ? 'warn' : 'ok';
  return { name: 'disk', state, detail: `${free.toFixed(1)} GiB free at DATA_DIR (${Math.round(share * 100)} %)` };
}
