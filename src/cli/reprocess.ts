// `subledger reprocess`: processes stored notifications again, with or without a running service.
import { readConfig } from '../adapters/configuration/config.js';
import { systemRuntime } from '../adapters/runtime.js';
import { reprocess, type ReprocessResult } from '../commands/stores/inbox/reprocess.js';
import { requireInstant } from './support/instant.js';
import { onService } from './support/on-service.js';
import { printResult } from './support/print-result.js';
import { withDeps } from './support/with-deps.js';

type Options = { readonly since?: string; readonly dryRun?: true; readonly json?: true };

export async function reprocessNotifications(o: Options): Promise<void> {
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
  printResult(o, result, describe(result));
}

function describe(result: ReprocessResult): readonly string[] {
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
