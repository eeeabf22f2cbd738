// `subledger keys rewrap`: all data keys under the first key of MASTER_KEY, so that the older ones can be taken out of the ring.
import { readConfig } from '../adapters/configuration/config.js';
import { systemRuntime } from '../adapters/runtime.js';
import { fail, Failure } from './support/failure.js';
import { onService } from './support/on-service.js';
import { mastersOf } from './support/open-for-reading.js';

export async function rewrapKeys(o: { readonly json?: true }): Promise<void> {
  try {
    const config = readConfig(process.env);
    const [first] = mastersOf(config);
    const done = await onService(config, systemRuntime(), { kind: 'rewrap' }, (engine) => engine.rewrapKeys());
    if (done.key !== first.id) {
      throw new Failure(
        `the service runs with ${done.key} as its first key, not ${first.id}; restart it with this ring`,
      );
    }
    const { key, dataKeys, rewrapped } = done;
    const text = `${rewrapped} data keys wrapped anew; all ${dataKeys} are under ${key}, which alone is needed from now on.`;
    process.stdout.write(`${o.json ? JSON.stringify(done, null, 2) : text}\n`);
  } catch (err) {
    fail(err);
  }
}
