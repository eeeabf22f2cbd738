// Revenue of the books: how a project counts it, the schedule by month, and which month recognises what another one billed.
import { z } from 'zod';
import { stringify } from 'csv-stringify/sync';
import { csvRules } from '../../adapters/csv.js';
import { changeBooks } from '../../commands/books/change-books.js';
import type { BooksSettings } from '../../domain/books/closings.js';
import { revenueBases } from '../../domain/books/delivery.js';
import { addMonths } from '../../domain/books/report-values.js';
import { monthsBetween, scheduleRows, waterfallRows, type ScheduleSelection } from '../../domain/books/schedule.js';
import { monthIn } from '../../projections/books/revenue.js';
import { bookClosings } from '../../projections/models/book-closings.js';
import { HttpError } from '../bodies/errors.js';
import { listBody } from '../bodies/paging.js';
import { currency, id, limit, month, projectParams, timeZone } from '../bodies/request-schemas.js';
import { listOf } from '../bodies/response-schemas.js';
import { Csv } from '../bodies/send-json.js';
import { defineRoute, readModelsAt, type Route } from '../dispatch/route.js';
import type { Services } from '../dispatch/services.js';
import {
  BASIS_NOTICE,
  booksSchedule,
  booksSettings,
  booksWaterfall,
  cellPart,
  presentCellPart,
  presentRow,
  presentWaterfallRow,
} from './revenue-responses.js';

/** Months of one response: five years. */
const MAX_MONTHS = 60;
/** Rows of one response. */
const MAX_ROWS = 2000;
/** Months of a response that names none, up to the current one. */
const DEFAULT_MONTHS = 12;

const selectionFields = { currency: currency.optional(), appId: id.optional() };
const rangeQuery = z.strictObject({ from: month.optional(), to: month.optional(), ...selectionFields });

const settingsBody = z.strictObject({
  basis: z.enum(revenueBases),
  timeZone: timeZone.default('UTC'),
  lifetimeMonths: z.number().int().min(0).max(120).default(0),
});

export const revenueRoutes: readonly Route[] = [
  defineRoute({
    method: 'get',
    path: '/v1/projects/:id/books/settings',
    access: 'project',
    permission: 'readCharts',
    summary: 'Get how revenue is counted',
    params: projectParams,
    response: booksSettings,
    handle: async ({ scope: { projectId } }, services) => ({
      body: presentSettings(await readSettings(services, projectId)),
    }),
  }),
  defineRoute({
    method: 'put',
    path: '/v1/projects/:id/books/settings',
    access: 'project',
    permission: 'closeBooks',
    summary: 'Set how revenue is counted',
    description:
      'Whether revenue is gross or net is never assumed. The settings stay as they are while a month is closed: reopen all closed months first.',
    example: { basis: 'gross', timeZone: 'Europe/Berlin', lifetimeMonths: 0 },
    params: projectParams,
    body: settingsBody,
    response: booksSettings,
    handle: async ({ scope: { projectId }, body: settings, by }, { deps, readModels }) => {
      const position = await changeBooks(deps, by, projectId, { kind: 'changeSettings', settings });
      const body = async () => presentSettings(await readSettings({ readModels }, projectId));
      return { body, after: readModelsAt(position, bookClosings) };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/v1/projects/:id/books/schedule',
    access: 'project',
    permission: 'readCharts',
    summary: 'Get the revenue schedule',
    description:
      'What is deferred, billed, recognised and refunded in each month and currency, of purchases in production. A period is recognised day by day, from the day of the purchase to the day before it ends; other purchases at once. `from` and `to`: months, by default the last twelve. With `Accept: text/csv` as a table.',
    params: projectParams,
    query: rangeQuery,
    response: booksSchedule,
    handle: async ({ scope: { projectId }, query, accepts, visibility }, services) => {
      const settings = await readSettings(services, projectId);
      const selection = selectionOf(query, settings, services);
      const schedule = settings && (await services.revenue.schedule(projectId, settings));
      const rows = limitRows(schedule ? scheduleRows(schedule, selection) : []).map(presentRow);
      if (accepts(['application/json', 'text/csv']) === 'text/csv') {
        const columns = ['month', 'currency', 'opening', 'billed', 'recognised', 'refunded', 'closing'] as const;
        const lines = rows.map((row) => columns.map((name) => cellOf(row[name])));
        return { body: tableOf(visibility.money, columns, lines, 'books-schedule.csv') };
      }
      const head = { ...presentSettings(settings), object: 'books_schedule' as const, ...noticeOf(settings) };
      const { from, to } = selection;
      return { body: { ...head, from, to, unpriced: schedule?.unpriced ?? 0, rows } };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/v1/projects/:id/books/waterfall',
    access: 'project',
    permission: 'readCharts',
    summary: 'Get the revenue waterfall',
    description:
      'What was billed in each month and currency, by the month in which it is recognised. `…/waterfall/transactions` lists the transactions of a cell. With `Accept: text/csv` as a table with a line for each cell.',
    params: projectParams,
    query: rangeQuery,
    response: booksWaterfall,
    handle: async ({ scope: { projectId }, query, accepts, visibility }, services) => {
      const settings = await readSettings(services, projectId);
      const selection = selectionOf(query, settings, services);
      const schedule = settings && (await services.revenue.schedule(projectId, settings));
      const rows = limitRows(schedule ? waterfallRows(schedule, selection) : []).map(presentWaterfallRow);
      if (accepts(['application/json', 'text/csv']) === 'text/csv') {
        const columns = ['billed_month', 'currency', 'billed', 'refunded', 'month', 'recognised'];
        const lines = rows.flatMap((row) =>
          [...row.cells, { month: 'later', recognised: row.later }].map((cell) =>
            [row.month, row.currency, row.billed, row.refunded, cell.month, cell.recognised].map(cellOf),
          ),
        );
        return { body: tableOf(visibility.money, columns, lines, 'books-waterfall.csv') };
      }
      const head = { ...presentSettings(settings), object: 'books_waterfall' as const, ...noticeOf(settings) };
      const { from, to } = selection;
      return { body: { ...head, from, to, rows } };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/v1/projects/:id/books/waterfall/transactions',
    access: 'project',
    permission: 'readCharts',
    summary: 'List the transactions of a waterfall cell',
    params: projectParams,
    query: z.strictObject({
      ...{ billed: month, recognised: month, currency, appId: id.optional(), limit },
      startingAfter: z
        .string()
        .regex(/^\d{1,9}$/, 'must be the cursor of the previous page')
        .optional(),
    }),
    response: listOf(cellPart),
    handle: async ({ scope: { projectId }, query }, services) => {
      const settings = await readSettings(services, projectId);
      if (!settings) throw new HttpError(409, BASIS_NOTICE);
      const { billed, recognised, currency: of, appId, limit: size, startingAfter = '0' } = query;
      const cell = { billedMonth: billed, month: recognised, currency: of, appId };
      const skip = Number(startingAfter);
      const found = await services.revenue.cell(projectId, settings, cell, { skip, limit: size + 1 });
      const items = found.slice(0, size).map(presentCellPart);
      const lastId = found.length > size ? String(skip + size) : null;
      const url = `/v1/projects/${projectId}/books/waterfall/transactions`;
      return {
        body: listBody(url, items, { lastId, limit: size, extra: { billed, recognised, currency: of, appId } }),
      };
    },
  }),
];

/** Returns null while nobody has set how revenue is counted. */
export async function readSettings(
  { readModels }: Pick<Services, 'readModels'>,
  projectId: string,
): Promise<BooksSettings | null> {
  return (await readModels.get(bookClosings, projectId))?.settings ?? null;
}

function presentSettings(settings: BooksSettings | null) {
  const { basis, timeZone, lifetimeMonths } = settings ?? { basis: null, timeZone: 'UTC', lifetimeMonths: 0 };
  return { object: 'books_settings' as const, basis, timeZone, lifetimeMonths };
}

function noticeOf(settings: BooksSettings | null): { readonly notice: string | null } {
  return { notice: settings ? null : BASIS_NOTICE };
}

function selectionOf(
  query: z.output<typeof rangeQuery>,
  settings: BooksSettings | null,
  { runtime }: Pick<Services, 'runtime'>,
): ScheduleSelection {
  const current = monthIn(settings?.timeZone ?? 'UTC', runtime.now());
  const to = query.to ?? (query.from === undefined || query.from <= current ? current : query.from);
  const from = query.from ?? addMonths(to, 1 - DEFAULT_MONTHS);
  if (from > to) throw new HttpError(400, '`from` must not be after `to`');
  if (monthsBetween(from, to).length > MAX_MONTHS)
    throw new HttpError(400, `ask for at most ${MAX_MONTHS} months; narrow \`from\` and \`to\``);
  return { ...query, from, to };
}

function limitRows<T>(rows: readonly T[]): readonly T[] {
  if (rows.length > MAX_ROWS)
    throw new HttpError(
      400,
      `the table has ${rows.length} rows, more than ${MAX_ROWS}; ask for one \`currency\` or fewer months`,
    );
  return rows;
}

/** Amounts become numbers, because a text that begins with a minus would be taken for a formula. */
function cellOf(text: string | undefined): string | number {
  return text !== undefined && /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : (text ?? '');
}

function tableOf(
  seesMoney: boolean,
  columns: readonly string[],
  lines: readonly (readonly (string | number)[])[],
  fileName: string,
): Csv {
  if (!seesMoney) throw new HttpError(403, 'the table has amounts, which your role or key may not see');
  const pieces = async function* () {
    yield Buffer.from(stringify([[...columns], ...lines.map((line) => [...line])], csvRules));
  };
  return new Csv(pieces(), fileName);
}
