// Annotations of a project's days: notes of members, and changes of the catalogue.
import { z } from 'zod';
import { encodeCursor } from '../../adapters/documents/index-keys.js';
import { addAnnotation, deleteAnnotation } from '../../commands/projects/projects.js';
import { text } from '../../domain/values/user-text.js';
import { annotationKind } from '../../domain/project/events.js';
import { annotations, type AnnotationDoc } from '../../projections/models/annotations.js';
import { products } from '../../projections/models/catalogue.js';
import { experiments } from '../../projections/models/experiments.js';
import { listBody, unknownCursorError } from '../bodies/paging.js';
import { deletionOf, listOf, time, type BodyOf } from '../bodies/response-schemas.js';
import { id, page, projectParams } from '../bodies/request-schemas.js';
import { defineRoute, readModelsAt, type Route } from '../dispatch/route.js';
import type { Services } from '../dispatch/services.js';

const day = z.iso.date({ error: 'must be a UTC day such as 2026-11-20' });

const annotation = z
  .strictObject({
    object: z.literal('annotation'),
    id: z.string(),
    day: z.iso.date(),
    text: z.string(),
    kind: annotationKind,
    automatic: z.boolean().meta({ description: 'A change of the catalogue: generated, and cannot be deleted.' }),
    createdAt: time,
  })
  .meta({ id: 'Annotation' });

const FIELDS = ['projectId', 'day', 'annotationId'];
const CURSOR = /^(\d{4}-\d{2}-\d{2})\.([a-z0-9_-]{1,64})$/;

/** Returns the position after the item of the cursor, which may have been deleted. Throws {@link HttpError} 400. */
function positionAfter(projectId: string, cursor: string | undefined): { readonly after?: string } {
  if (cursor === undefined) return {};
  const [, at, annotationId] = CURSOR.exec(cursor) ?? [];
  if (at === undefined || annotationId === undefined) throw unknownCursorError();
  const doc = { projectId, day: at, annotationId };
  return { after: encodeCursor('project', FIELDS, { id: annotationId, guard: '', doc }) };
}

async function presentAnnotations(
  { readModels }: Services,
  docs: readonly AnnotationDoc[],
): Promise<readonly BodyOf<typeof annotation>[]> {
  const contents = docs.map((d) => d.content);
  const [pricedProducts, namedExperiments] = await Promise.all([
    readModels.getMany(products, [...new Set(contents.flatMap((c) => (c.by === 'price' ? [c.productId] : [])))]),
    readModels.getMany(experiments, [
      ...new Set(contents.flatMap((c) => (c.by === 'experiment' ? [c.experimentId] : []))),
    ]),
  ]);
  const textOf = ({ content: c }: AnnotationDoc): string => {
    switch (c.by) {
      case 'member':
        return c.text;
      case 'price':
        return `Price of ${pricedProducts.get(c.productId)?.displayName ?? c.productId}: ${c.amountMicros / 1_000_000} ${c.currency}`;
      case 'offering':
        return `Offering ${c.lookupKey} became the current one`;
      case 'experiment':
        return `Experiment ${namedExperiments.get(c.experimentId)?.name ?? c.experimentId} ${c.isStart ? 'started' : 'stopped'}`;
    }
  };
  return docs.map((doc) => {
    const { annotationId, day: on, kind, content, createdAt } = doc;
    const automatic = content.by !== 'member';
    return { object: 'annotation', id: annotationId, day: on, text: textOf(doc), kind, automatic, createdAt };
  });
}

export const annotationRoutes: readonly Route[] = [
  defineRoute({
    method: 'get',
    path: '/v1/projects/:id/annotations',
    access: 'project',
    permission: 'readCharts',
    summary: 'List annotations, newest day first',
    description:
      'Price changes, offerings that became current, and experiments that started or stopped are included automatically.',
    params: projectParams,
    query: page,
    response: listOf(annotation),
    handle: async ({ scope: { projectId }, query: { limit, startingAfter } }, services) => {
      const scan = {
        index: 'project',
        eq: [projectId],
        limit,
        reverse: true,
        ...positionAfter(projectId, startingAfter),
      };
      const { rows, next } = await services.readModels.scan(annotations, scan);
      const docs = rows.map((r) => r.doc);
      const last = next === undefined ? undefined : docs.at(-1);
      const lastId = last ? `${last.day}.${last.annotationId}` : null;
      return {
        body: listBody(`/v1/projects/${projectId}/annotations`, await presentAnnotations(services, docs), {
          lastId,
          limit,
        }),
      };
    },
  }),
  defineRoute({
    method: 'post',
    path: '/v1/projects/:id/annotations',
    access: 'project',
    permission: 'annotate',
    summary: 'Add an annotation to a day',
    example: { day: '2026-11-20', text: 'Version 4.2 with the new paywall', kind: 'release' },
    params: projectParams,
    body: z.strictObject({ day, text: text(500), kind: annotationKind.default('note') }),
    response: annotation,
    statuses: [201],
    handle: async ({ scope: { projectId }, body, by }, { deps, runtime }) => {
      const { annotationId, position } = await addAnnotation(deps, by, projectId, body);
      const createdAt = new Date(runtime.now()).toISOString();
      const created = { object: 'annotation', id: annotationId, ...body, automatic: false, createdAt };
      return { status: 201, body: created, after: readModelsAt(position, annotations) };
    },
  }),
  defineRoute({
    method: 'delete',
    path: '/v1/projects/:id/annotations/:annotationId',
    access: 'project',
    permission: 'annotate',
    summary: 'Delete an annotation',
    params: z.object({ id, annotationId: id }),
    response: deletionOf('annotation'),
    handle: async ({ params, scope: { projectId }, by }, { deps }) => {
      const { position } = await deleteAnnotation(deps, by, projectId, params.annotationId);
      return {
        body: { object: 'annotation', id: params.annotationId, deleted: true },
        after: readModelsAt(position, annotations),
      };
    },
  }),
];
