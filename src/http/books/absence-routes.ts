// Reports of the stores that will not come: declared for a month, and taken back.
import { z } from 'zod';
import { changeBooks } from '../../commands/books/change-books.js';
import { pacificDay } from '../../domain/books/report-values.js';
import { isSame } from '../../domain/books/absences.js';
import { storeKinds, storeOfReport } from '../../domain/store-kinds.js';
import { bookClosings, type AbsenceDoc } from '../../projections/models/book-closings.js';
import { actor, nameActors, type ActorViewer } from '../bodies/actors.js';
import { HttpError } from '../bodies/errors.js';
import { country, id, month } from '../bodies/request-schemas.js';
import { deletionOf, time } from '../bodies/response-schemas.js';
import { defineRoute, readModelsAt, type Route } from '../dispatch/route.js';
import type { Services } from '../dispatch/services.js';
import { readBooks } from './closing-view.js';

export const reportAbsence = z
  .strictObject({
    object: z.literal('report_absence'),
    id: z.string(),
    month: z.string(),
    store: z.enum(storeKinds),
    countries: z.array(z.string()).meta({ description: 'ISO 3166 codes; empty: all sales of the store.' }),
    reason: z.string(),
    declaredAt: time,
    declaredBy: actor,
  })
  .meta({ id: 'ReportAbsence' });

const absenceBody = z.strictObject({
  store: z.enum(storeKinds),
  countries: z
    .array(country)
    .max(250)
    .default([])
    .meta({ description: 'Of a report of one region: its countries. Omitted: all sales of the store.' }),
  reason: z.string().trim().min(1, 'must not be empty').max(500),
});

export const absenceRoutes: readonly Route[] = [
  defineRoute({
    method: 'post',
    path: '/v1/projects/:id/books/:month/absences',
    access: 'project',
    permission: 'closeBooks',
    summary: 'Declare that a report will not come',
    description:
      'Of a store for a month that is over, because nothing was sold or the account is closed. Purchases that no report has wait no longer: they are `missing_there` or `not_collected`, and the month can be complete. A report that comes nevertheless counts as any other. The same declaration again changes nothing.',
    example: { store: storeOfReport('earnings'), reason: 'The account was closed in September.' },
    params: z.object({ id, month }),
    body: absenceBody,
    response: reportAbsence,
    statuses: [201],
    handle: async ({ params, scope: { projectId }, body, by, caller }, services) => {
      const { deps, runtime } = services;
      if (params.month >= pacificDay(runtime.now()).slice(0, 7))
        throw new HttpError(409, `${params.month} is not over; declare it when it is`);
      const countries = [...new Set(body.countries)].sort();
      const absence = { ...body, countries, month: params.month, absenceId: runtime.newId('abs') };
      const position = await changeBooks(deps, by, projectId, { kind: 'declareAbsent', absence });
      const present = async () => {
        const { absences = [] } = await readBooks(services, projectId);
        const found = absences.filter((one) => isSame(one, absence));
        const [declared] = await presentAbsences(services, { projectId, caller }, found);
        if (!declared) throw new HttpError(409, 'the declaration was taken back meanwhile');
        return declared;
      };
      return { status: 201, body: present, after: readModelsAt(position, bookClosings) };
    },
  }),
  defineRoute({
    method: 'delete',
    path: '/v1/projects/:id/books/:month/absences/:absenceId',
    access: 'project',
    permission: 'closeBooks',
    summary: 'Take back that a report will not come',
    description: 'Purchases of the month wait for the report again.',
    params: z.object({ id, month, absenceId: id }),
    response: deletionOf('report_absence'),
    handle: async ({ params, scope: { projectId }, by }, { deps }) => {
      const { month: of, absenceId } = params;
      const position = await changeBooks(deps, by, projectId, { kind: 'withdrawAbsence', month: of, absenceId });
      const body = { object: 'report_absence' as const, id: absenceId, deleted: true as const };
      return { body, after: readModelsAt(position, bookClosings) };
    },
  }),
];

export async function presentAbsences(
  services: Services,
  viewer: ActorViewer,
  absences: readonly AbsenceDoc[],
): Promise<z.output<typeof reportAbsence>[]> {
  const actors = absences.map(({ declaredBy }) => declaredBy);
  const withName = await nameActors(services, viewer, actors);
  return absences.map(({ absenceId, declaredBy, countries, ...absence }) => ({
    ...{ object: 'report_absence' as const, id: absenceId, ...absence },
    ...{ countries: [...countries], declaredBy: withName(declaredBy) },
  }));
}
