// `subledger import notifications`: has all notifications read that the stores of a project retain, with or without a running service.
import { readConfig } from '../adapters/configuration/config.js';
import { systemRuntime } from '../adapters/runtime.js';
import { requestPastNotifications, type PastNotificationsRequest } from '../commands/stores/past-notifications.js';
import { onService } from './support/on-service.js';
import { printResult } from './support/print-result.js';
import { withDeps } from './support/with-deps.js';

export async function importPastNotifications(o: { readonly project: string; readonly json?: true }): Promise<void> {
  const config = readConfig(process.env);
  const runtime = systemRuntime();
  const request = { kind: 'past-notifications' as const, projectId: o.project };
  const result = await onService<PastNotificationsRequest>(config, runtime, request, (engine) =>
    withDeps(config, runtime, engine, (deps) => requestPastNotifications(deps, o.project)),
  );
  printResult(o, result, [describe(result)]);
}

function describe({ apps }: PastNotificationsRequest): string {
  if (apps.length === 0) return 'No app of this project has a store that retains notifications.';
  const names = apps.map(({ name, appId }) => `${name} (${appId})`).join(', ');
  return `The service reads all retained notifications of ${names} in the background, once the app has credentials.`;
}
