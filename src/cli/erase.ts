// `subledger erase`: erases all data about a customer, with or without a running service.
import { readConfig } from '../adapters/configuration/config.js';
import { ensureNamingKey } from '../adapters/engine/hash-key.js';
import { systemRuntime } from '../adapters/runtime.js';
import { deliveryBodyCollection, deliveryCollection } from '../commands/webhooks/deliveries.js';
import { eraseSubscriber, type Erasure } from '../commands/subscribers/erasure.js';
import { createKeyedMutex } from '../commands/handling/keyed-mutex.js';
import { keyedHash } from '../domain/ids.js';
import { onService } from './support/on-service.js';
import { printResult } from './support/print-result.js';

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
