// `subledger import notifications`: has all notifications read that the stores of a project retain, with or without a running service.
import { readConfig } from '../adapters/configuration/config.js';
import { systemRuntime } from '../adapters/runtime.js';
import { createCredentialVerdicts } from '../commands/projects/credential-checks.js';
import { requestPastNotifications, type PastNotificationsRequest } from '../commands/stores/past-notifications.js';
import { Rejection } from '../domain/errors.js';
import { openDeps } from '../main/open-deps.js';
import { openStores } from '../main/open-stores.js';
import { fail, Failure } from './support/failure.js';
import { onService } from './support/on-service.js';

export async function importPastNotifications(o: { readonly project: string; readonly json?: true }): Promise<void> {
  try {
    const config = readConfig(process.env);
    const runtime = systemRuntime();
    const request = { kind: 'past-notifications' as const, projectId: o.project };
    const result = await onService<PastNotificationsRequest>(config, runtime, request, async (engine) => {
      const verdicts = createCredentialVerdicts({ docs: engine.docs, runtime });
      const { stores, close } = openStores({ config, runtime, verdicts });
      try {
        const deps = await openDeps(engine, stores, runtime, runtime.newId('proc'));
        return await requestPastNotifications(deps, o.project);
      } finally {
        await close();
      }
    });
    process.stdout.write(`${o.json ? JSON.stringify(result, null, 2) : describe(result)}\n`);
  } catch (err) {
    fail(err instanceof Rejection ? new Failure(err.message) : err);
  }
}

function describe({ apps }: PastNotificationsRequest): string {
  if (apps.length === 0) return 'No app of this project has a store that retains notifications.';
  const names = apps.map(({ name, appId }) => `${name} (${appId})`).join(', ');
  return `The service reads all retained notifications of ${names} in the background, once the app has credentials.`;
}
