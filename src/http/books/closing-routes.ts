// Closing of months: close, reopen, what has changed since, the journal, and its accounts.
import { z } from 'zod';
import { changeBooks } from '../../commands/books/change-books.js';
import { closeMonth, prepareClosing } from '../../commands/books/close-month.js';
import { ACCOUNT_CODE, ACCOUNT_NAME, accountNames, accountsOf } from '../../domain/books/accounts.js';
import type { FrozenMonth } from '../../domain/books/frozen-month.js';
import { pacificDay } from '../../domain/books/report-values.js';
import { monthIn } from '../../projections/books/revenue.js';
import { bookClosings, closedMonthsOf } from '../../projections/models/book-closings.js';
import { HttpError } from '../bodies/errors.js';
import { listBody } from '../bodies/paging.js';
import { id, limit, month, projectParams } from '../bodies/request-schemas.js';
import { listOf } from '../bodies/response-schemas.js';
import { Csv } from '../bodies/send-json.js';
import { defineRoute, readModelsAt, type Route } from '../dispatch/route.js';
import type { Services } from '../dispatch/services.js';
import {
  booksAccounts,
  booksJournal,
  candidatesOf,
  changedEntry,
  monthClosing,
  presentAccounts,
  presentChange,
  presentJournal,
} from './closing-responses.js';
import { journalEntries, presentClosing, readBooks } from './closing-view.js';
import { journalFormats, writeJournal } from './journal-formats.js';
import { customersOf } from './transaction-customers.js';

const monthParams = z.object({ id, month });
const reason = z.string().trim().min(1, 'must not be empty').max(500);
const account = z.strictObject({
  code: z.string().regex(ACCOUNT_CODE, 'must be a code such as 4000'),
  name: z.string().regex(ACCOUNT_NAME, 'must be an account such as Income:Revenue'),
});

export const closingRoutes: readonly Route[] = [
  defineRoute({
    method: 'get',
    path: '/v1/projects/:id/books/accounts',
    access: 'project',
    permission: 'readCharts',
    summary: 'Get the accounts of the journal',
    params: projectParams,
    response: booksAccounts,
    handle: async ({ scope: { projectId } }, services) => ({
      body: presentAccounts((await readBooks(services, projectId)).accounts),
    }),
  }),
  defineRoute({
    method: 'put',
    path: '/v1/projects/:id/books/accounts',
    access: 'project',
    permission: 'closeBooks',
    summary: 'Set the accounts of the journal',
    description:
      'Accounts that are not in the body get their defaults. `code` is for tables, `name` for plain-text accounting.',
    example: { accounts: { revenue: { code: '4000', name: 'Income:Revenue' } } },
    params: projectParams,
    body: z.strictObject({ accounts: z.partialRecord(z.enum(accountNames), account) }),
    response: booksAccounts,
    handle: async ({ scope: { projectId }, body, by }, services) => {
      const changes = Object.entries(body.accounts).filter(([, one]) => one !== undefined);
      const accounts = accountsOf(Object.fromEntries(changes));
      const position = await changeBooks(services.deps, by, projectId, { kind: 'changeAccounts', accounts });
      const present = async () => presentAccounts((await readBooks(services, projectId)).accounts);
      return { body: present, after: readModelsAt(position, bookClosings) };
    },
  }),
  defineRoute({
    method: 'post',
    path: '/v1/projects/:id/books/:month/close',
    access: 'project',
    permission: 'closeBooks',
    summary: 'Close a month of the books',
    description:
      'Freezes the figures as they are known now; what becomes known later is a correction in the open month. Months are closed in order. A month in which purchases wait for a report is closed only with `incompleteReason`. A closed month stays as it is.',
    example: { incompleteReason: 'The last purchases are settled in the next report.' },
    params: monthParams,
    body: z.strictObject({ incompleteReason: reason.optional() }).optional(),
    response: monthClosing,
    handle: async ({ params, scope: { projectId }, body, by, caller }, services) => {
      const position = await closeNow(services, by, projectId, params.month, body?.incompleteReason ?? null);
      const present = () => presentClosing(services, projectId, params.month, caller);
      return { body: present, after: readModelsAt(position, bookClosings) };
    },
  }),
  defineRoute({
    method: 'post',
    path: '/v1/projects/:id/books/:month/reopen',
    access: 'project',
    permission: 'closeBooks',
    summary: 'Reopen a closed month',
    description: 'The last closed month first. Its next closing adds entries with the difference to the journal.',
    example: { reason: 'The store restated its report.' },
    params: monthParams,
    body: z.strictObject({ reason }),
    response: monthClosing,
    handle: async ({ params, scope: { projectId }, body, by, caller }, services) => {
      const change = { kind: 'reopen' as const, month: params.month, reason: body.reason };
      const position = await changeBooks(services.deps, by, projectId, change);
      const present = () => presentClosing(services, projectId, params.month, caller);
      return { body: present, after: readModelsAt(position, bookClosings) };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/v1/projects/:id/books/:month/closing',
    access: 'project',
    permission: 'readCharts',
    summary: 'Get a month as closed and as known now',
    description:
      'For a closed month its figures as closed, as known now, and the corrections between. For the open month after it the corrections of closed months.',
    params: monthParams,
    response: monthClosing,
    handle: async ({ params, scope: { projectId }, caller }, services) => ({
      body: await presentClosing(services, projectId, params.month, caller),
    }),
  }),
  defineRoute({
    method: 'get',
    path: '/v1/projects/:id/books/:month/corrections',
    access: 'project',
    permission: 'readCharts',
    summary: 'List the comparisons that changed since closing',
    params: monthParams,
    query: z.strictObject({
      limit,
      startingAfter: z
        .string()
        .regex(/^\d{1,9}$/, 'must be the ID of a correction')
        .optional(),
    }),
    response: listOf(changedEntry),
    handle: async ({ params, scope: { projectId }, query }, services) => {
      const closing = closedMonthsOf(await readBooks(services, projectId)).find((one) => one.month === params.month);
      const all = closing ? await services.closings.changes(projectId, closing) : [];
      const from = query.startingAfter === undefined ? 0 : Number(query.startingAfter) + 1;
      const page = all.slice(from, from + query.limit);
      const customerOf = await customersOf(services, projectId, page.flatMap(candidatesOf));
      const items = page.flatMap((change, i) => presentChange(change, from + i, customerOf) ?? []);
      const lastId = from + page.length < all.length ? String(from + page.length - 1) : null;
      const url = `/v1/projects/${projectId}/books/${params.month}/corrections`;
      return {
        body: listBody(url, items, { lastId, limit: query.limit }),
      };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/v1/projects/:id/books/:month/journal',
    access: 'project',
    permission: 'readCharts',
    summary: 'Export the journal of a month',
    description:
      'With `format` a file: `csv`, `xero` (manual journals) or `beancount`. IDs of entries are stable: exporting twice books once, and closing again adds entries with the difference. Entries of a month that is open are drafts, and their IDs begin with `draft-`.',
    params: monthParams,
    query: z.strictObject({ format: z.enum(journalFormats).optional() }),
    response: booksJournal,
    handle: async ({ params, scope: { projectId }, query: { format }, visibility }, services) => {
      if (!visibility.money) throw new HttpError(403, 'the journal has amounts, which your role or key may not see');
      const books = await readBooks(services, projectId);
      const entries = await journalEntries(services, projectId, params.month);
      if (format === undefined) return { body: presentJournal(params.month, entries) };
      const text = writeJournal(format, entries, accountsOf(books.accounts));
      const pieces = async function* () {
        yield Buffer.from(text);
      };
      return { body: new Csv(pieces(), `journal-${params.month}.${format === 'beancount' ? 'beancount' : 'csv'}`) };
    },
  }),
];

/** Returns the position of the books' last event. */
async function closeNow(
  services: Services,
  by: Parameters<typeof closeMonth>[1],
  projectId: string,
  name: string,
  incompleteReason: string | null,
) {
  const { deps, closings, runtime } = services;
  const { state, position } = await prepareClosing(deps, projectId, name);
  if (!state?.settings) return position;
  const { settings, closed } = state;
  const now = runtime.now();
  const isOver = name < pacificDay(now).slice(0, 7) && name < monthIn(settings.timeZone, now);
  if (!isOver) throw new HttpError(409, `${name} is not over; close it when it is`);
  const { frozen, of, position: knownAt } = await closings.freeze(projectId, name, settings, closed);
  if (of.entries.length > 0 && !of.isComplete && incompleteReason === null) {
    const message = `purchases of ${name} wait for a report; add the report, declare it absent, or send \`incompleteReason\` to close the month nevertheless`;
    throw new HttpError(409, message);
  }
  const absenceIds = (of.absences ?? []).map(({ absenceId }) => absenceId);
  const lines = function* () {
    yield JSON.stringify(frozen);
    for (const entry of of.entries) yield JSON.stringify(entry);
  };
  return closeMonth(deps, by, {
    ...{ projectId, month: name, lines: lines(), entries: of.entries.length, position: knownAt },
    basedOn: { settings, lastClosingId: closed.at(-1)?.closingId ?? null, absenceIds },
    totals: totalsOf(frozen),
    incompleteReason: of.isComplete ? null : incompleteReason,
  });
}

function totalsOf({ tables }: FrozenMonth) {
  const sums = new Map<string, { currency: string; oursMicros: number; storeMicros: number }>();
  for (const { currency, ours, store } of tables) {
    const sum = sums.get(currency) ?? { currency, oursMicros: 0, storeMicros: 0 };
    sum.oursMicros += ours.proceeds;
    sum.storeMicros += store.proceeds;
    sums.set(currency, sum);
  }
  return [...sums.values()];
}
