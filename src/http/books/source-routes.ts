// Report sources: the places at which the financial reports of an app's account are fetched, and what came of the last look.
import { z } from 'zod';
import { MAX_MONTHS } from '../../commands/books/look-for-reports.js';
import {
  deleteReportSource,
  listReportSources,
  registerReportSource,
  requestLooks,
  type ListedSource,
} from '../../commands/books/report-sources.js';
import { mapStores } from '../../commands/stores/modules.js';
import { lookProblems } from '../../domain/books/look-problems.js';
import { addMonths, pacificDay } from '../../domain/books/report-values.js';
import { storeKind } from '../../domain/store-kinds.js';
import { HttpError } from '../bodies/errors.js';
import { listBody } from '../bodies/paging.js';
import { id, month, projectParams } from '../bodies/request-schemas.js';
import { deletionOf, listOf, time, type BodyOf } from '../bodies/response-schemas.js';
import { defineRoute, type Route } from '../dispatch/route.js';
import { requireAppOf } from '../projects/credential-routes.js';
import type { Services } from '../dispatch/services.js';

const reportSource = z
  .strictObject({
    object: z.literal('report_source'),
    appId: z.string(),
    store: storeKind,
    account: z.string().meta({ description: 'Vendor number, or name of the bucket.' }),
    keyId: z.string().nullable().meta({ description: 'Null where the app’s service account reads the reports.' }),
    createdAt: time,
    nextLookAt: time,
    lastLook: z
      .strictObject({
        at: time,
        added: z
          .array(z.strictObject({ reportId: z.string(), fileName: z.string(), month: z.string() }))
          .meta({ description: 'Reports that were new, and are in the books now.' }),
        unchanged: z.int().meta({ description: 'Reports that were in the books already.' }),
        unpublished: z
          .array(z.string())
          .meta({ description: 'Months of which the store has no report yet, which is no fault.' }),
        problem: z
          .strictObject({ code: z.enum(lookProblems), message: z.string() })
          .nullable()
          .meta({
            description:
              'What is missing, in words. The look is repeated, after a quarter of an hour and then less often.',
          }),
      })
      .nullable()
      .meta({ description: 'Null until the first look has ended.' }),
  })
  .meta({ id: 'ReportSource' });

function presentSource(source: ListedSource): BodyOf<typeof reportSource> {
  const { appId, store, account, keyId, createdAt, dueAt: nextLookAt, lastLook } = source;
  return {
    ...{ object: 'report_source', appId, store, account, keyId, createdAt, nextLookAt },
    lastLook: lastLook && { ...lastLook, added: [...lastLook.added], unpublished: [...lastLook.unpublished] },
  };
}

async function listSources({ deps }: Services, projectId: string) {
  const items = (await listReportSources(deps, projectId)).map(presentSource);
  return listBody(`/v1/projects/${projectId}/books/sources`, items, { lastId: null, limit: items.length });
}

const appParams = z.object({ id, appId: id });
const sourcePath = '/v1/projects/:id/apps/:appId/report-source';

export const reportSourceRoutes: readonly Route[] = [
  ...mapStores(({ kind, reportSource: form }) =>
    form === null
      ? []
      : [
          defineRoute({
            method: 'post',
            path: `${sourcePath}/${kind}`,
            permission: 'administer',
            summary: form.summary,
            description:
              'From now on a look each day adds new financial reports of the account to the books, as an upload does. The first look follows at once; `GET …/books/sources` has what came of it.',
            params: appParams,
            body: form.body,
            response: reportSource,
            statuses: [201],
            handle: async ({ params: { appId }, scope: { projectId }, by, body }, services) => {
              // An unknown app is refused before an invalid key, so that the response does not reveal the apps of others.
              await requireAppOf(services, projectId, appId);
              const source = { appId, store: kind, ...form.check(body) };
              return { body: presentSource(await registerReportSource(services.deps, by, projectId, source)) };
            },
          }),
        ],
  ).flat(),
  defineRoute({
    method: 'delete',
    path: sourcePath,
    permission: 'administer',
    summary: 'Delete the report source of an app',
    description: 'No more reports are fetched. Those in the books stay.',
    params: appParams,
    response: deletionOf('report_source'),
    handle: async ({ params: { appId }, scope, by }, { deps }) => {
      await deleteReportSource(deps, by, scope.projectId, appId);
      return { body: { object: 'report_source', id: appId, deleted: true } };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/v1/projects/:id/books/sources',
    permission: 'readCharts',
    summary: 'List the report sources of the apps',
    description: 'Where financial reports are fetched each day, and what came of the last look. Keys are never shown.',
    params: projectParams,
    response: listOf(reportSource),
    handle: async ({ scope: { projectId } }, services) => ({ body: await listSources(services, projectId) }),
  }),
  defineRoute({
    method: 'post',
    path: '/v1/projects/:id/books/look',
    permission: 'configure',
    summary: 'Look for financial reports now',
    description: `Does not wait for the day’s look. \`from\`: the first month to look at, at most ${MAX_MONTHS} back; without it the last four.`,
    params: projectParams,
    body: z.strictObject({ appId: id.optional(), from: month.optional() }),
    response: listOf(reportSource),
    statuses: [202],
    handle: async ({ scope: { projectId }, body: { appId = null, from = null } }, services) => {
      const newest = pacificDay(services.runtime.now()).slice(0, 7);
      const oldest = addMonths(newest, 1 - MAX_MONTHS);
      if (from !== null && (from < oldest || from > newest))
        throw new HttpError(400, `from: must be a month from ${oldest} to ${newest}`);
      await requestLooks(services.deps, projectId, { appId, fromMonth: from });
      return { status: 202, body: await listSources(services, projectId) };
    },
  }),
];
