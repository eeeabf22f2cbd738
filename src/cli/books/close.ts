// `subledger books close`: closes a month over the API of the running service, whose audit names the key.
import { createClient } from '#sdk/client.js';
import { MONTH } from '../../domain/books/report-values.js';
import { Failure, printResult } from '../support/outcome.js';
import { readServiceKey } from '../support/service-key.js';
import { bodyOrFailure } from './service-answers.js';

type CloseOptions = { readonly project: string; readonly incompleteReason?: string; readonly json?: true };

/** A month of a million comparisons is compared first. */
const CLOSE_TIMEOUT_MS = 600_000;

/** Closing a closed month changes nothing. Throws {@link Failure} with what the service refuses. */
export async function closeBooks(month: string, o: CloseOptions): Promise<void> {
  if (!MONTH.test(month)) throw new Failure(`${month} is no month; write it as 2026-09`);
  const { url, apiKey } = readServiceKey(process.env);
  const client = createClient({ baseUrl: url, apiKey, timeoutMs: CLOSE_TIMEOUT_MS });
  const params = { path: { id: o.project, month } };
  const body = o.incompleteReason === undefined ? {} : { incompleteReason: o.incompleteReason };
  const data = await bodyOrFailure(url, client.POST('/v1/projects/{id}/books/{month}/close', { params, body }));
  const { closing, tables } = data;
  const lines = tables.map(({ appId, currency, asClosed: { difference } }) => {
    return `  ${appId ?? 'no app of the project'}, ${currency}: difference ${difference.proceeds ?? 'not visible to this key'}`;
  });
  printResult(o, data, [`${month} was closed at ${closing?.closedAt ?? ''}.`, ...lines]);
}
