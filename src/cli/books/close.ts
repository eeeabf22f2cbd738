// `subledger books close`: closes a month over the API of the running service, whose audit names the key.
import { z } from 'zod';
import { createClient } from '#sdk/client.js';
import { MONTH } from '../../domain/books/report-values.js';
import { Failure, printResult } from '../support/outcome.js';
import { readServiceKey } from '../support/service-key.js';

type CloseOptions = { readonly project: string; readonly incompleteReason?: string; readonly json?: true };

const refusal = z.object({ message: z.string() });

/** A month of a million comparisons is compared first. */
const CLOSE_TIMEOUT_MS = 600_000;

/** Closing a closed month changes nothing. Throws {@link Failure} with what the service refuses. */
export async function closeBooks(month: string, o: CloseOptions): Promise<void> {
  if (!MONTH.test(month)) throw new Failure(`${month} is no month; write it as 2026-09`);
  const { url, apiKey } = readServiceKey(process.env);
  const client = createClient({ baseUrl: url, apiKey, timeoutMs: CLOSE_TIMEOUT_MS });
  const params = { path: { id: o.project, month } };
  const body = o.incompleteReason === undefined ? {} : { incompleteReason: o.incompleteReason };
  const { data, error, response } = await client
    .POST('/v1/projects/{id}/books/{month}/close', { params, body })
    .catch((err: unknown) => {
      throw new Failure(`${url} cannot be reached: ${err instanceof Error ? err.message : String(err)}`);
    });
  if (!data) {
    // A proxy in front of the service responds in a form of its own.
    const refused = refusal.safeParse(error);
    throw new Failure(refused.success ? refused.data.message : `${url} responded with ${response.status}`);
  }
  const { closing, tables } = data;
  const lines = tables.map(({ appId, currency, asClosed: { difference } }) => {
    return `  ${appId ?? 'no app of the project'}, ${currency}: difference ${difference.proceeds ?? 'not visible to this key'}`;
  });
  printResult(o, data, [`${month} was closed at ${closing?.closedAt ?? ''}.`, ...lines]);
}
