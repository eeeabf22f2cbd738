// The books: financial reports of the stores, and each month compared with what was recorded.
import { z } from 'zod';
import { addReport } from '../../commands/books/add-report.js';
import { causes } from '../../domain/books/entries.js';
import { addMonths, pacificDay } from '../../domain/books/report-values.js';
import type { EntryPlace } from '../../projections/books/month-view.js';
import { closedMonths, closedMonthsOf } from '../../projections/models/book-closings.js';
import { storeReports } from '../../projections/models/store-reports.js';
import { HttpError } from '../bodies/errors.js';
import { listBody } from '../bodies/paging.js';
import { id, limit, month, projectParams } from '../bodies/request-schemas.js';
import { listOf, time } from '../bodies/response-schemas.js';
import { orRefuseUpload } from '../bodies/uploads.js';
import { defineRoute, readModelsAt, type Route } from '../dispatch/route.js';
import type { Services } from '../dispatch/services.js';
import { presentAbsences, reportAbsence } from './absence-routes.js';
import { monthClosing } from './closing-responses.js';
import { presentClosedMonth } from './closing-view.js';
import { tableOf } from './lines-table.js';
import { lookUpsOf } from './look-ups.js';
import {
  bookEntry,
  booksMonth,
  booksOverview,
  MAX_CANDIDATES,
  presentEntry,
  presentMonth,
  presentMonthHead,
} from './responses.js';
import { presentReport, storeReport } from './report-responses.js';
import { asOf, readShownMonth } from './shown-month.js';
import { customersOf } from './transaction-customers.js';

const MAX_LISTED = 500;
/** Uploads that are read at a time, as each takes memory of the service. */
const MAX_UPLOADS = 2;
/** Months of the overview: each is computed. */
const OVERVIEW_MONTHS = 13;

const monthParams = z.object({ id, month });

const entriesQuery = z.strictObject({
  cause: z.enum(causes).optional(),
  appId: z.string().max(100).optional(),
  currency: z.string().length(3).optional(),
  asOf,
  limit,
  startingAfter: z
    .string()
    .regex(/^\d{1,9}$/, 'must be the ID of an entry')
    .optional(),
});

export const bookRoutes: readonly Route[] = [
  defineRoute({
    method: 'post',
    path: '/v1/projects/:id/books/reports',
    access: 'project',
    permission: 'configure',
    summary: 'Add a financial report of a store',
    description:
      'The body is an earnings or sales report of the android-store (CSV), or a finance detail or financial report (text with tabs) or the payments page (CSV) of the ios-store, also in a ZIP archive or compressed with gzip, of at most 64 MiB. Columns are found by name, in any order. ' +
      'A line that cannot be read refuses the whole file. The same file again changes nothing; a newer file of the same kind, account, month and region replaces the older one. One source counts for each account and month: earnings before sales, finance detail before financial. The columns that say where a buyer lives are not stored.',
    params: projectParams,
    query: z.strictObject({
      fileName: z.string().min(1, 'must not be empty').max(255),
      account: z
        .string()
        .regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be the payments profile or the vendor number')
        .optional()
        .meta({
          description:
            'Needed unless the name of the file is of the store’s own form, or it is a sales report, which is of all accounts then.',
        }),
    }),
    takesFile: true,
    response: storeReport.extend({
      isRepeat: z.boolean().meta({ description: 'True if the same file had been added before.' }),
    }),
    statuses: [201],
    handle: async ({ scope: { projectId }, query, file, by }, services) => {
      const { deps, importUploads, reportFiles } = services;
      const upload = importUploads.begin('books');
      try {
        if (upload.count > MAX_UPLOADS)
          throw new HttpError(503, 'other reports are being read; send this one again', 5);
        const { fileName, account = null } = query;
        const added = addReport(deps, by, reportFiles, { projectId, fileName, account, content: file });
        const { report, isRepeat, position } = await orRefuseUpload(added);
        const present = async () => ({
          ...presentReport(await requireReport(services, projectId, report.reportId)),
          isRepeat,
        });
        return { status: 201, body: present, after: readModelsAt(position, storeReports) };
      } finally {
        upload.end();
      }
    },
  }),
  defineRoute({
    method: 'get',
    path: '/v1/projects/:id/books/reports',
    access: 'project',
    permission: 'readCharts',
    summary: 'List the financial reports of the stores; the newest month first',
    params: projectParams,
    response: listOf(storeReport),
    handle: async ({ scope: { projectId } }, { books }) => {
      const items = (await books.listReports(projectId)).slice(0, MAX_LISTED).map(presentReport);
      return { body: listBody(`/v1/projects/${projectId}/books/reports`, items, { lastId: null, limit: MAX_LISTED }) };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/v1/projects/:id/books/reports/:reportId',
    access: 'project',
    permission: 'readCharts',
    summary: 'Get a financial report of a store',
    params: z.object({ id, reportId: id }),
    response: storeReport,
    handle: async ({ params: { reportId }, scope: { projectId } }, services) => ({
      body: presentReport(await requireReport(services, projectId, reportId)),
    }),
  }),
  defineRoute({
    method: 'get',
    path: '/v1/projects/:id/books',
    access: 'project',
    permission: 'readCharts',
    summary: 'Get the months of the books',
    description: 'The last thirteen months, the newest first, each as `GET …/books/:month` without its reports.',
    params: projectParams,
    response: booksOverview,
    handle: async ({ scope: { projectId } }, { books, runtime, readModels }) => {
      const closed = await closedMonths(readModels, projectId);
      const newest = pacificDay(runtime.now()).slice(0, 7);
      const months = [];
      for (let back = 0; back < OVERVIEW_MONTHS; back++) {
        const read = await books.view(projectId, addMonths(newest, -back));
        months.push({ ...presentMonthHead(read, closed), reports: read.summary.reports.length });
      }
      return { body: { object: 'books', months } };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/v1/projects/:id/books/:month',
    access: 'project',
    permission: 'readCharts',
    summary: 'Get a month of the books',
    description:
      'By app and buyers’ currency: what we recorded, what the store reports, and the difference by cause. The month is the calendar month in Pacific time for the android-store, and the fiscal month for the ios-store, as its report states it. ' +
      'With `asOf`, with the purchases that had been recorded and the reports that had been added by then.',
    params: monthParams,
    query: z.strictObject({ asOf }),
    response: booksMonth
      .extend({
        closing: monthClosing
          .nullable()
          .meta({ description: 'Of a closed month: its figures as closed, and the corrections since.' }),
        asOf: time.optional().meta({ description: 'The instant that was asked about; omitted for now.' }),
        absences: z.array(reportAbsence).meta({ description: 'Reports of the month that will not come.' }),
      })
      .meta({ id: 'BooksMonth' }),
    handle: async ({ params, scope: { projectId }, query, caller }, services) => {
      const viewer = { projectId, caller };
      const { read, books } = await readShownMonth(services, projectId, params.month, query.asOf);
      const closings = closedMonthsOf(books);
      const of = presentMonth(read, new Set(closings.map((one) => one.month)));
      const last = closings.find((one) => one.month === params.month);
      const closing = last ? await presentClosedMonth(services, viewer, last, read.summary.tables) : null;
      const declared = (books.absences ?? []).filter((one) => one.month === params.month);
      const absences = await presentAbsences(services, viewer, declared);
      return { body: { ...of, closing, absences, ...(query.asOf !== undefined && { asOf: query.asOf }) } };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/v1/projects/:id/books/:month/lines',
    access: 'project',
    permission: 'readCharts',
    summary: 'List the comparisons of a month, by cause',
    description:
      'One entry for each charge or refund of the android-store, and for each group of equal ones of the ios-store. With `Accept: text/csv` all of them.',
    params: monthParams,
    query: entriesQuery,
    response: listOf(bookEntry),
    handle: async ({ params, scope: { projectId }, query, accepts, visibility }, services) => {
      const { cause, appId, currency, asOf: instantOf } = query;
      const { read: view } = await readShownMonth(services, projectId, params.month, instantOf);
      const selection = { cause, appId, currency };
      if (accepts(['application/json', 'text/csv']) === 'text/csv') {
        if (!visibility.money) throw new HttpError(403, 'the table has amounts, which your role or key may not see');
        return { body: tableOf(view.entries(selection, -1), params.month) };
      }
      const from = query.startingAfter === undefined ? -1 : Number(query.startingAfter);
      const page: EntryPlace[] = [];
      for await (const piece of view.entries(selection, from)) {
        page.push(...piece);
        if (page.length > query.limit) break;
      }
      const items = page.slice(0, query.limit);
      const candidates = items.flatMap(({ entry }) => entry.transactionIds.slice(0, MAX_CANDIDATES));
      const customerOf = await customersOf(services, projectId, candidates);
      const lookUps = await lookUpsOf(services, projectId, items);
      const entriesOfPage = items.map((place) => presentEntry(place, customerOf, lookUps));
      const lastId = page.length > query.limit ? String(items.at(-1)?.index) : null;
      const url = `/v1/projects/${projectId}/books/${params.month}/lines`;
      return {
        body: listBody(url, entriesOfPage, {
          lastId,
          limit: query.limit,
          extra: { cause, appId, currency, asOf: instantOf },
        }),
      };
    },
  }),
];

async function requireReport({ books }: Services, projectId: string, reportId: string) {
  const report = (await books.listReports(projectId)).find((one) => one.reportId === reportId);
  if (!report) throw new HttpError(404, 'report not found in this project');
  return report;
}
