// `subledger erase`: erases all data about a customer, with or without a running service.
import { readConfig } from '../adapters/configuration/config.js';
import { ensureNamingKey } from '../adapters/engine/hash-key.js';
import { systemRuntime } from '../adapters/runtime.js';
import { deliveryBodyCollection, deliveryCollection } from '../commands/webhooks/deliveries.js';
import { eraseSubscriber, type Erasure } from '../commands/subscribers/erasure.js';
import { createKeyedMutex } from '../commands/handling/keyed-mutex.js';
import { Rejection } from '../domain/errors.js';
import { keyedHash } from '../domain/ids.js';
import { fail, Failure } from './support/failure.js';
import { onService } from './support/on-service.js';

export async function erase(projectId: string, appUserId: string, o: { readonly json?: true }): Promise<void> {
  try {
    const runtime = systemRuntime();
    const requestId = runtime.newId('req');
    const request = { kind: 'erase' as const, requestId, projectId, appUserId };
    const { customerId } = await onService<Erasure>(readConfig(process.env), runtime, request, async (engine) => {
      await engine.docs.ensure([deliveryCollection, deliveryBodyCollection]);
      const deps = { ...engine, runtime, hash: keyedHash(await ensureNamingKey(engine)), mutex: createKeyedMutex() };
      return eraseSubscriber(deps, { actor: { kind: 'system', id: 'command line' }, requestId }, projectId, appUserId);
    });
    const result = { object: 'customer', id: customerId, deleted: true };
    process.stdout.write(o.json ? `${JSON.stringify(result, null, 2)}\n` : `${customerId} was erased.\n`);
  } catch (err) {
    fail(err instanceof Rejection ? new Failure(err.message) : err);
  }
}
