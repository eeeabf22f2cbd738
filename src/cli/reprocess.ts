// `subledger reprocess`: processes stored notifications again, with or without a running service.
import { readConfig } from '../adapters/configuration/config.js';
import { systemRuntime } from '../adapters/runtime.js';
import { reprocess, type ReprocessResult } from '../commands/stores/inbox/reprocess.js';
import { openDeps } from '../main/open-deps.js';
import { openStores } from '../main/open-stores.js';
import { createCredentialVerdicts } from '../commands/projects/credential-checks.js';
import { fail, WrongUse } from './support/failure.js';
import { readInstant } from './support/instant.js';
import { onService } from './support/on-service.js';

type Options = { readonly since?: string; readonly dryRun?: true; readonly json?: true };

export async function reprocessNotifications(o: Options): Promise<void> {
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
  try {
    const config = readConfig(process.env);
    const runtime = systemRuntime();
    const asked = { since: instantOf(o.since), dryRun: o.dryRun === true };
    const request = { kind: 'reprocess' as const, ...asked };
    const result = await onService<ReprocessResult>(config, runtime, request, async (engine) => {
      const { docs } = engine;
      const { stores, close } = openStores({ config, runtime, verdicts: createCredentialVerdicts({ docs, runtime }) });
      try {
        const deps = await openDeps(engine, stores, runtime, runtime.newId('proc'));
        return await reprocess(deps, asked, stopping.signal);
      } finally {
        await close();
      }
    });
    process.stdout.write(o.json ? `${JSON.stringify(result, null, 2)}\n` : `${describe(result).join('\n')}\n`);
  } catch (err) {
    fail(err);
  }
}

function instantOf(text: string | undefined): string | null {
  if (text === undefined) return null;
  const instant = readInstant(text);
  if (instant === null) throw new WrongUse(`--since ${text}: give an instant such as 2026-04-13T00:00:00Z`);
  return instant;
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
