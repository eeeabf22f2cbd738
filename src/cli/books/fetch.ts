// `subledger books fetch`: has the running service look at the report servers of the stores, and prints what came of it.
import { createClient } from '#sdk/client.js';
import { systemRuntime } from '../../adapters/runtime.js';
import { MONTH } from '../../domain/books/report-values.js';
import { Failure, printResult } from '../support/outcome.js';
import { readServiceKey } from '../support/service-key.js';
import { bodyOrFailure } from './service-answers.js';

type FetchOptions = { readonly project: string; readonly from?: string; readonly app?: string; readonly json?: true };

const TIMEOUT_MS = 30_000;
const POLL_MS = 1000;
/** Longer than the service takes for a look. */
const MAX_WAIT_MS = 900_000;

/** Throws {@link Failure} with what the service refuses, and for reports that could not be fetched. */
export async function fetchBooks(o: FetchOptions): Promise<void> {
  if (o.from !== undefined && !MONTH.test(o.from)) throw new Failure(`${o.from} is no month; write it as 2026-09`);
  const { url, apiKey } = readServiceKey(process.env);
  const client = createClient({ baseUrl: url, apiKey, timeoutMs: TIMEOUT_MS });
  const params = { path: { id: o.project } };
  const body = { ...(o.from !== undefined && { from: o.from }), ...(o.app !== undefined && { appId: o.app }) };
  const before = await bodyOrFailure(url, client.POST('/v1/projects/{id}/books/look', { params, body }));
  const lastLooks = new Map(before.items.map(({ appId, lastLook }) => [appId, lastLook?.at ?? '']));
  const runtime = systemRuntime();
  const endsAt = runtime.elapsed() + MAX_WAIT_MS;
  while (runtime.elapsed() < endsAt) {
    const { items } = await bodyOrFailure(url, client.GET('/v1/projects/{id}/books/sources', { params }));
    const sources = items.filter(({ appId }) => o.app === undefined || o.app === appId);
    const hasLooked = ({ appId, lastLook }: Source) => (lastLook?.at ?? '') > (lastLooks.get(appId) ?? '');
    if (sources.every(hasLooked)) return printSources(sources, o);
    await runtime.sleep(POLL_MS, new AbortController().signal);
  }
  throw new Failure('the look has not ended yet; see the page Money of the dashboard');
}

function printSources(sources: readonly Source[], o: FetchOptions): void {
  printResult(o, sources, sources.flatMap(sourceText));
  const failed = sources.filter(({ lastLook }) => lastLook?.problem);
  if (failed.length > 0)
    throw new Failure(`the reports of ${failed.length} of ${sources.length} apps were not fetched`);
}

type Source = {
  readonly appId: string;
  readonly store: string;
  readonly account: string;
  readonly lastLook: {
    readonly at: string;
    readonly added: readonly { readonly fileName: string; readonly month: string }[];
    readonly unchanged: number;
    readonly problem: { readonly message: string } | null;
  } | null;
};

function sourceText({ appId, store, account, lastLook }: Source): readonly string[] {
  const { added = [], unchanged = 0, problem = null } = lastLook ?? {};
  return [
    `${appId}, ${store}, ${account}: ${added.length} new reports, ${unchanged} unchanged`,
    ...added.map(({ fileName, month }) => `  ${month}  ${fileName}`),
    ...(problem ? [`  not fetched: ${problem.message}`] : []),
  ];
}
