// Cause of an entry of the timeline.
import { z } from 'zod';
import { reportKinds } from '../../domain/books/lines.js';
import { appStore } from '../../domain/store-kinds.js';
import { reportText, type EntryCause } from '../../projections/queries/entry-causes.js';
import type { TimelineEntry } from '../../projections/queries/timeline.js';
import { moneyAndPersonal, type BodyOf } from '../bodies/response-schemas.js';

export const entryCause = z.union([
  z.strictObject({
    notification: z.strictObject({
      id: z.string(),
      store: appStore,
      type: z.string(),
      rawBody: moneyAndPersonal(z.string()),
    }),
  }),
  z.strictObject({ request: z.strictObject({ id: z.string() }) }),
  z.strictObject({
    report: z.strictObject({
      id: z.string(),
      store: appStore,
      kind: z.enum(reportKinds),
      month: z.string(),
      text: z.string(),
    }),
  }),
]);

/** `origin` null: the cause was a request or the clock. */
export function presentCause(
  { correlationId }: Pick<TimelineEntry, 'correlationId'>,
  origin: EntryCause | null,
): BodyOf<typeof entryCause> | null {
  if (origin === null) return correlationId.startsWith('req_') ? { request: { id: correlationId } } : null;
  if ('notification' in origin) return origin;
  const { report } = origin;
  return { report: { ...report, text: `Learned from ${reportText(report)}.` } };
}
