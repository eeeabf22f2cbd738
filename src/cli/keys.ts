// `subledger keys rewrap`: wraps all data keys with the first key of MASTER_KEY, so that older keys can be removed from it.
import { readConfig } from '../adapters/configuration/config.js';
import { systemRuntime } from '../adapters/runtime.js';
import { Failure } from './support/failure.js';
import { onService } from './support/on-service.js';
import { mastersOf } from './support/open-for-reading.js';
import { printResult } from './support/print-result.js';

export async function rewrapKeys(o: { readonly json?: true }): Promise<void> {
  const config = readConfig(process.env);
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
