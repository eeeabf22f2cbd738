// Commands that write a little: a running service does it on request, else they do it themselves.
import { readFileSync } from 'node:fs';
import { readConfig } from '../adapters/configuration/config.js';
import { hasServers } from '../adapters/engine/engine.js';
import { ensureNamingKey } from '../adapters/engine/hash-key.js';
import { createPasswords } from '../adapters/passwords/worker.js';
import { InvalidRatesFile, readEcbFile, type EcbFile } from '../adapters/rates/ecb-file.js';
import { systemRuntime } from '../adapters/runtime.js';
import { emailKeyOf } from '../commands/accounts/auth-context.js';
import { passwordCollection, resetPassword } from '../commands/accounts/passwords.js';
import { secondFactorCollection } from '../commands/accounts/second-factor.js';
import { importRates, type ImportedRates } from '../commands/catalog/exchange-rates.js';
import { createKeyedMutex } from '../commands/handling/keyed-mutex.js';
import { reprocess, type ReprocessResult } from '../commands/stores/inbox/reprocess.js';
import { requestPastNotifications, type PastNotificationsRequest } from '../commands/stores/past-notifications.js';
import { eraseSubscriber, type Erasure } from '../commands/subscribers/erasure.js';
import { deliveryBodyCollection, deliveryCollection } from '../commands/webhooks/deliveries.js';
import { keyedHash } from '../domain/ids.js';
import { normalizeEmail } from '../domain/user/user.js';
import { Failure, printResult } from './support/outcome.js';
import { requireInstant, expectReadableFile } from './support/arguments.js';
import { onService, withDeps } from './support/on-service.js';
import { expectDataDirectory, mastersOf, withReading } from './support/open-for-reading.js';

/** Erases all data about a customer. */
export async function erase(projectId: string, appUserId: string, o: { readonly json?: true }): Promise<void> {
  const runtime = systemRuntime();
  const requestId = runtime.newId('req');
  const request = { kind: 'erase' as const, requestId, projectId, appUserId };
  const { customerId } = await onService<Erasure>(readConfig(process.env), runtime, request, async (engine) => {
    await engine.docs.ensure([deliveryCollection, deliveryBodyCollection]);
    const deps = { ...engine, runtime, hash: keyedHash(await ensureNamingKey(engine)), mutex: createKeyedMutex() };
    return eraseSubscriber(deps, { actor: { kind: 'system', id: 'command line' }, requestId }, projectId, appUserId);
  });
  printResult(o, { object: 'customer', id: customerId, deleted: true }, [`${customerId} was erased.`]);
}

/** Wraps all data keys with the first key of MASTER_KEY, so that older keys can be removed from it. */
export async function rewrapKeys(o: { readonly json?: true }): Promise<void> {
  const config = readConfig(process.env);
  if (!hasServers(config)) expectDataDirectory(config);
  const [first] = mastersOf(config);
  const done = await onService(config, systemRuntime(), { kind: 'rewrap' }, (engine) => engine.rewrapKeys());
  const { key, dataKeys, rewrapped } = done;
  if (key !== first.id) {
    throw new Failure(
      `the first key of the running service is ${key}, not ${first.id}; restart it with this MASTER_KEY`,
    );
  }
  printResult(o, done, [
    `${rewrapped} data keys rewrapped. All ${dataKeys} now use ${key}; other keys can be removed from MASTER_KEY.`,
  ]);
}

const PASSWORD_BYTES = 15;

/** Sets a new password for a user who has lost it, and prints it once. It is never stored in clear. */
export async function resetPasswordOf(email: string, o: { readonly json?: true }): Promise<void> {
  const config = readConfig(process.env);
  const runtime = systemRuntime();
  const emailKey = await withReading(async (reading) => emailKeyOf(reading, normalizeEmail(email)));
  const password = runtime.randomBytes(PASSWORD_BYTES).toString('base64url');
  const passwords = createPasswords();
  const hash = await passwords.hash(password);
  await passwords.close();
  const reset = { emailKey, hash, commandId: runtime.newId('reset') };
  const request = { kind: 'reset-password' as const, ...reset };
  const { userId } = await onService(config, runtime, request, async ({ log, docs }) => {
    await docs.ensure([passwordCollection, secondFactorCollection]);
    return resetPassword({ log, docs, runtime, mutex: createKeyedMutex() }, reset);
  });
  printResult(o, { userId, password }, [
    password,
    `is the new password of ${userId}. It is shown only once. All sessions of this user were ended, and a second factor was removed.`,
  ]);
}

/** Has all notifications read that the stores of a project retain. */
export async function importPastNotifications(o: { readonly project: string; readonly json?: true }): Promise<void> {
  const config = readConfig(process.env);
  const runtime = systemRuntime();
  const request = { kind: 'past-notifications' as const, projectId: o.project };
  const result = await onService<PastNotificationsRequest>(config, runtime, request, (engine) =>
    withDeps(config, runtime, engine, (deps) => requestPastNotifications(deps, o.project)),
  );
  printResult(o, result, [describePastNotifications(result)]);
}

function describePastNotifications({ apps }: PastNotificationsRequest): string {
  if (apps.length === 0) return 'No app of this project has a store that retains notifications.';
  const names = apps.map(({ name, appId }) => `${name} (${appId})`).join(', ');
  return `The service reads all retained notifications of ${names} in the background, once the app has credentials.`;
}

/** Imports a reference rate file of the European Central Bank. */
export async function importRatesFile(file: string, o: { readonly json?: true }): Promise<void> {
  const runtime = systemRuntime();
  const config = readConfig(process.env);
  const { days, unknownCurrencies, unquoted } = readRatesFile(file);
  const importId = runtime.newId('imp');
  const request = { kind: 'rates' as const, importId, days: [...days] };
  const imported = await onService<ImportedRates>(config, runtime, request, ({ log }) =>
    importRates({ log, runtime, mutex: createKeyedMutex() }, days, importId),
  );
  const result = { ...imported, unknownCurrencies, unquoted };
  printResult(o, result, describeRates(result));
}

const RATES_CURE = "give eurofxref.csv or eurofxref-hist.csv from the European Central Bank's website, unzipped";

function readRatesFile(file: string): EcbFile {
  expectReadableFile({ name: 'FILE', path: file, cure: RATES_CURE });
  try {
    return readEcbFile(readFileSync(file, 'utf8'));
  } catch (err) {
    if (err instanceof InvalidRatesFile) throw new Failure(`FILE ${file}: ${err.message}; ${RATES_CURE}`);
    throw err;
  }
}

function describeRates(r: ImportedRates & Pick<EcbFile, 'unknownCurrencies' | 'unquoted'>): readonly string[] {
  const same = r.days - r.published - r.corrected;
  return [
    `${r.days} days from ${r.from} to ${r.to}: ${r.published} new, ${r.corrected} corrected, ${same} unchanged.`,
    ...(r.unknownCurrencies.length > 0
      ? [`Not in the current ISO 4217 table, imported anyway: ${r.unknownCurrencies.join(', ')}.`]
      : []),
    ...(r.unquoted.length > 0 ? [`Without a rate in this file: ${r.unquoted.join(', ')}.`] : []),
  ];
}

type ReprocessOptions = { readonly since?: string; readonly dryRun?: true; readonly json?: true };

/** Processes stored notifications again. */
export async function reprocessNotifications(o: ReprocessOptions): Promise<void> {
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
  const config = readConfig(process.env);
  const runtime = systemRuntime();
  const since = o.since === undefined ? null : requireInstant('--since', o.since);
  const selection = { since, dryRun: o.dryRun === true };
  const request = { kind: 'reprocess' as const, ...selection };
  const result = await onService<ReprocessResult>(config, runtime, request, (engine) =>
    withDeps(config, runtime, engine, (deps) => reprocess(deps, selection, stopping.signal)),
  );
  printResult(o, result, describeReprocessing(result));
  if (result.left > 0) process.exitCode = 1;
}

function describeReprocessing(result: ReprocessResult): readonly string[] {
  const { dryRun, read, changed, added, left, changes, notRun, stoppedAt } = result;
  const lines = changes.map(({ inboxId, store, notificationType, receivedAt, events }) => {
    const list = events.map(({ type, stream }) => `${type} in ${stream}`).join(', ');
    return `${receivedAt} ${store} ${notificationType} ${inboxId}: ${list}`;
  });
  const reasons = notRun.map(({ inboxId, store, receivedAt, reason }) => {
    return `${receivedAt} ${store} ${inboxId}: not processed, ${reason}`;
  });
  const verb = dryRun ? 'would add' : 'added';
  const unlisted = changed - changes.length + left - notRun.length;
  const more = unlisted === 0 ? [] : [`… and ${unlisted} more.`];
  const notDone = left === 0 ? '' : ` ${left} were not processed.`;
  const rest =
    stoppedAt === null ? '' : ` Stopped at ${stoppedAt}: run again for the rest once these are added, or with --since.`;
  const sum = `${read} notifications read; ${changed} ${verb} ${added} events.${notDone}${rest}`;
  return [...lines, ...reasons, ...more, sum];
}
