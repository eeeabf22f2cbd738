// `subledger books absent`: declares over the API of the running service that a report will not come, or takes that back.
import { createClient } from '#sdk/client.js';
import { MONTH } from '../../domain/books/report-values.js';
import { storeKinds, type StoreKind } from '../../domain/store-kinds.js';
import { Failure, printResult } from '../support/outcome.js';
import { readServiceKey } from '../support/service-key.js';
import { bodyOrFailure } from './service-answers.js';

export type AbsentOptions = {
  readonly project: string;
  readonly store: string;
  readonly countries?: string;
  readonly reason?: string;
  readonly withdraw?: true;
  readonly json?: true;
};

/** Declaring the same again changes nothing. Throws {@link Failure} with what the service refuses. */
export async function declareAbsent(month: string, o: AbsentOptions): Promise<void> {
  if (!MONTH.test(month)) throw new Failure(`${month} is no month; write it as 2026-09`);
  const store = storeKinds.find((kind) => kind === o.store);
  if (!store) throw new Failure(`${o.store} is no store; use ${storeKinds.join(' or ')}`);
  const countries = [...new Set((o.countries ?? '').split(/[\s,]+/).filter((code) => code !== ''))].sort();
  const { url, apiKey } = readServiceKey(process.env);
  const client = createClient({ baseUrl: url, apiKey });
  const params = { path: { id: o.project, month } };
  const of = `${store}${countries.length === 0 ? '' : ` (${countries.join(', ')})`}`;
  if (o.withdraw) {
    const absenceId = await findAbsence({ client, params, url }, store, countries);
    if (absenceId === null) throw new Failure(`no report of ${of} was declared absent for ${month}`);
    const path = { ...params.path, absenceId };
    const withdrawal = await bodyOrFailure(
      url,
      client.DELETE('/v1/projects/{id}/books/{month}/absences/{absenceId}', { params: { path } }),
    );
    printResult(o, withdrawal, [`${month} waits for the report of ${of} again.`]);
    return;
  }
  if (o.reason === undefined) throw new Failure('say why the report will not come, with --reason');
  const body = { store, countries, reason: o.reason };
  const declared = await bodyOrFailure(url, client.POST('/v1/projects/{id}/books/{month}/absences', { params, body }));
  printResult(o, declared, [`${month} does not wait for the report of ${of}.`]);
}

type Connection = {
  readonly client: ReturnType<typeof createClient>;
  readonly params: { readonly path: { readonly id: string; readonly month: string } };
  readonly url: string;
};

async function findAbsence({ client, params, url }: Connection, store: StoreKind, countries: readonly string[]) {
  const { absences } = await bodyOrFailure(url, client.GET('/v1/projects/{id}/books/{month}', { params }));
  const found = absences.find((one) => one.store === store && one.countries.join() === countries.join());
  return found?.id ?? null;
}
