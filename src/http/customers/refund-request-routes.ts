// Questions of the stores about refunds: those that wait for an answer, what became of the others, and the answer of a member.
import { z } from 'zod';
import { encodeCursor } from '../../adapters/documents/index-keys.js';
import { answerByMember } from '../../commands/stores/refund-answers.js';
import { statesRefundConsent } from '../../commands/stores/refund-questions.js';
import { refundAnswer } from '../../domain/project/events.js';
import { refundPreference } from '../../domain/subscriber/events/blocks.js';
import { isoFromMs } from '../../domain/time.js';
import { rulesOfStore, storeKinds } from '../../domain/store-kinds.js';
import { text } from '../../domain/values/user-text.js';
import { customers } from '../../projections/models/customers.js';
import { apps } from '../../projections/models/projects.js';
import { refundRequests, type RefundRequestDoc } from '../../projections/models/refund-requests.js';
import { HttpError } from '../bodies/errors.js';
import { firstPage, unknownCursorError } from '../bodies/paging.js';
import { id, instant, limit } from '../bodies/request-schemas.js';
import { environment, time, type BodyOf } from '../bodies/response-schemas.js';
import { defineListRoute, defineRoute, readModelsAt, type Route } from '../dispatch/route.js';
import type { Services } from '../dispatch/services.js';

const states = ['open', 'lapsed', 'answered', 'refunded', 'declined'] as const;

const listQuery = z.strictObject({
  state: z.enum(states).default('open'),
  since: instant.optional().meta({ description: 'Only requests that were to be answered at this time or later.' }),
  limit,
  startingAfter: z.string().max(200).optional(),
});

const refundRequest = z
  .strictObject({
    object: z.literal('refundRequest'),
    id: z.string(),
    transactionId: z.string(),
    customerId: z.string(),
    appUserId: z.string().nullable(),
    appId: z.string(),
    store: z.enum(storeKinds),
    storeProductId: z.string(),
    environment,
    reason: z.string().nullable().meta({ description: 'Reason of the customer, as the store states it.' }),
    requestedAt: time,
    respondBy: time.meta({ description: 'Time until which the store waits for consumption information.' }),
    state: z.enum(states).meta({ description: '`lapsed`: nobody answered until `respondBy`.' }),
    refundAnswer: refundAnswer.meta({ description: 'Setting of the app; `none`: a member decides each.' }),
    needsConsent: z
      .boolean()
      .meta({ description: 'The store takes an answer only with the customer’s consent, and none is recorded.' }),
    preferences: z.array(refundPreference).meta({ description: 'The answers that the store takes.' }),
    answer: z
      .strictObject({ preference: refundPreference, decidedBy: z.enum(['policy', 'person']), at: time })
      .nullable()
      .meta({ description: 'What was sent to the store.' }),
    refusal: z.string().nullable().meta({ description: 'Why the store did not take the last answer.' }),
  })
  .meta({ id: 'RefundRequest' });

type Row = { readonly id: string; readonly doc: RefundRequestDoc };
type State = (typeof states)[number];

const [DUE] = refundRequests.indexes;

async function readPage({ readModels, runtime }: Services, projectId: string, q: z.output<typeof listQuery>) {
  const index = DUE?.name ?? '';
  const doc = q.startingAfter === undefined ? null : await readModels.get(refundRequests, q.startingAfter);
  if (q.startingAfter !== undefined && doc?.projectId !== projectId) throw unknownCursorError();
  const last = { id: q.startingAfter ?? '', guard: '', doc: doc ?? {} };
  const after = doc ? { after: encodeCursor(index, DUE?.fields ?? [], last) } : {};
  const now = isoFromMs(runtime.now());
  const since = q.since ?? '';
  const from = q.state === 'open' && now > since ? now : since;
  const span = { ...(from !== '' && { from }), ...(q.state === 'lapsed' && { to: now }) };
  const stored = q.state === 'lapsed' ? 'open' : q.state;
  const page = { index, eq: [projectId, stored], ...span, limit: q.limit + 1, ...after };
  return (await readModels.scan(refundRequests, page)).rows;
}

async function presentRequests(
  { readModels, runtime }: Services,
  rows: readonly Row[],
): Promise<readonly BodyOf<typeof refundRequest>[]> {
  const docs = rows.map(({ doc }) => doc);
  const [found, ofApps] = await Promise.all([
    readModels.getMany(customers, [...new Set(docs.map(({ customerId }) => customerId))]),
    readModels.getMany(apps, [...new Set(docs.map(({ appId }) => appId))]),
  ]);
  const now = isoFromMs(runtime.now());
  const stateOf = ({ state, respondBy }: RefundRequestDoc): State =>
    state === 'open' && respondBy < now ? 'lapsed' : state;
  return rows.map(({ id, doc }) => {
    const { projectId: _project, ...fields } = doc;
    const { appUserId = '', attributes = [] } = found.get(doc.customerId)?.profile ?? {};
    const { refundAnswer = 'none', refundConsent } = ofApps.get(doc.appId) ?? {};
    const { needsRefundConsent, refundPreferences } = rulesOfStore(doc.store);
    const isConsented = refundConsent === 'terms' || statesRefundConsent(attributes);
    const answers = { needsConsent: needsRefundConsent && !isConsented, preferences: [...refundPreferences] };
    const settings = { state: stateOf(doc), refundAnswer, ...answers };
    return { object: 'refundRequest', id, ...fields, ...settings, appUserId: appUserId === '' ? null : appUserId };
  });
}

/** Throws {@link HttpError} 404 for an ID of another form. */
function parseRequestId(requestId: string) {
  const [customerId = '', ...rest] = requestId.split('|');
  if (rest.length === 0) throw new HttpError(404, 'refund request not found in this project');
  return { customerId, transactionId: rest.join('|') };
}

export const refundRequestRoutes: readonly Route[] = [
  defineListRoute({
    path: '/v1/projects/:id/refund-requests',
    permission: 'readCustomers',
    summary: 'List refund requests, the next due first',
    description:
      'Before it decides on a refund, a store may request information about the consumption and wait for it until `respondBy`. By default those that wait for an answer are listed.',
    query: listQuery,
    item: refundRequest,
    list: async ({ scope: { projectId }, query }, services) => {
      const rows = await readPage(services, projectId, query);
      const { items, lastId } = firstPage(rows, query.limit, ({ id }) => id);
      return { items: await presentRequests(services, items), lastId };
    },
  }),
  defineRoute({
    method: 'post',
    path: '/v1/projects/:id/refund-requests/:requestId/answer',
    permission: 'support',
    summary: 'Answer the question of a store about a refund',
    description: [
      'Sends to the store what the app prefers, and records it on the timeline of the customer. Without `preference` the answer follows the',
      '`refundAnswer` of the app. The ios-store takes an answer only with the consent of the customer: the attribute `$refundConsent` is',
      '`true`, the app’s `refundConsent` is `terms`, or `customerConsented` says so here. A question that was answered, decided or not',
      'answered in time gets 409, and so does an answer that the store refuses. The store decides; it need not follow the answer.',
    ].join(' '),
    example: { preference: 'decline' },
    params: z.object({ id, requestId: text(300) }),
    body: z.strictObject({ preference: refundPreference.optional(), customerConsented: z.boolean().optional() }),
    response: refundRequest,
    handle: async ({ params, scope: { projectId }, body, by }, services) => {
      const question = { projectId, ...parseRequestId(params.requestId) };
      const { preference, customerConsented } = body;
      const { position } = await answerByMember(services.deps, by, question, { preference, customerConsented });
      const present = async () => {
        const doc = await services.readModels.get(refundRequests, params.requestId);
        const [presented] = doc ? await presentRequests(services, [{ id: params.requestId, doc }]) : [];
        if (!presented) throw new HttpError(503, 'the answer was sent; list the refund requests in a moment', 1);
        return presented;
      };
      return { body: present, after: readModelsAt(position, refundRequests) };
    },
  }),
];
