// Answers to the questions of a store about a refund: by the setting of the app, or by a member. What was sent is recorded.
import { z } from 'zod';
import { Rejection, StoreRefusal } from '../../domain/errors.js';
import { requirePreferenceOfStore } from '../../domain/project/decide-app.js';
import type { StoreApp } from '../../domain/project/events.js';
import { rulesOfStore } from '../../domain/store-kinds.js';
import { streams } from '../../domain/streams.js';
import type { RefundPreference } from '../../domain/subscriber/events/blocks.js';
import type { SubscriberEventData } from '../../domain/subscriber/events/events.js';
import { commandIds } from '../handling/command-ids.js';
import { contextOf, type Requester } from '../handling/deps.js';
import { lockKeys } from '../handling/keyed-mutex.js';
import type { CommandContext } from '../handling/run-command.js';
import { findStoreApp } from '../projects/apps.js';
import { runOnStream } from '../subscribers/subscriber-states.js';
import {
  hasRefundConsent,
  requireWaitingQuestion,
  type RefundQuestionName,
  type WaitingQuestion,
} from './refund-questions.js';
import type { StoreDeps } from './store-integration.js';
import type { NextWork } from './tasks.js';

/** Task that answers a question by the app's setting, as soon as that allows it. */
export const refundAnswerWork = z.object({
  kind: z.literal('refund-answer'),
  customerId: z.string(),
  transactionId: z.string(),
  respondBy: z.string(),
});
type RefundAnswerWork = z.output<typeof refundAnswerWork>;

/** The setting or the consent may be given while the question waits. */
const LOOK_AGAIN_MS = 600_000;

/** Returns the next look at the question; null if it is answered, or no longer waits. Throws `NoCredentials` and `Unavailable`. */
export async function answerByPolicy(
  deps: StoreDeps,
  projectId: string,
  work: RefundAnswerWork,
): Promise<NextWork | null> {
  const { customerId, transactionId, respondBy } = work;
  const name = { projectId, customerId, transactionId };
  const answered = await withQuestion(deps, name, async (question, app) => {
    const { refundAnswer: preference = 'none', refundConsent } = app;
    if (question.request.respondBy !== respondBy || preference === 'none') return false;
    const customerConsented = await hasRefundConsent(deps, name, refundConsent);
    if (!customerConsented && rulesOfStore(question.store).needsRefundConsent) return false;
    const sent = await sendAnswer(deps, { projectId, app, question, preference });
    const id = sent.refusal === null ? commandIds.refundAnswer : commandIds.refusedRefundAnswer;
    const commandId = id(transactionId, respondBy);
    const actor = { kind: 'system' as const, id: 'refund answers' };
    const answer = { ...sent, decidedBy: 'policy' as const, customerConsented };
    await record(deps, name, answer, { commandId, correlationId: commandId, actor, projectId });
    return true;
  }).catch((err: unknown) => {
    if (err instanceof Rejection) return true;
    throw err;
  });
  return answered ? null : { work, inMs: LOOK_AGAIN_MS };
}

/** `preference` undefined: by the app's setting. `customerConsented`: the member knows of a consent that is not recorded. */
export type MemberAnswer = {
  readonly preference: RefundPreference | undefined;
  readonly customerConsented: boolean | undefined;
};

/**
 * Answers a question as a member decides. Throws {@link Rejection} for one that no longer waits, or that the store refuses, `NoCredentials`
 * and `Unavailable`.
 */
export async function answerByMember(deps: StoreDeps, by: Requester, name: RefundQuestionName, o: MemberAnswer) {
  const { projectId, transactionId } = name;
  return withQuestion(deps, name, async (question, app) => {
    const { respondBy } = question.request;
    const preference = o.preference ?? preferenceOf(app);
    requirePreferenceOfStore(preference, question.store);
    const customerConsented = o.customerConsented ?? (await hasRefundConsent(deps, name, app.refundConsent));
    if (!customerConsented && rulesOfStore(question.store).needsRefundConsent) throw missingConsent();
    const sent = await sendAnswer(deps, { projectId, app, question, preference });
    const ctx = contextOf(by, projectId);
    const commandId = sent.refusal === null ? commandIds.refundAnswer(transactionId, respondBy) : ctx.commandId;
    const answer = { ...sent, decidedBy: 'person' as const, customerConsented };
    const recorded = await record(deps, name, answer, { ...ctx, commandId });
    if (sent.refusal !== null)
      throw new Rejection('conflict', 'refund-answer-refused', `the store did not take the answer: ${sent.refusal}`);
    return recorded;
  });
}

/** One answer at a time: two members, or a member and the setting, do not send different ones. */
function withQuestion<T>(
  deps: StoreDeps,
  name: RefundQuestionName,
  answer: (question: WaitingQuestion, app: StoreApp) => Promise<T>,
): Promise<T> {
  const { projectId, customerId, transactionId } = name;
  return deps.mutex.run(lockKeys.refundAnswer(streams.subscriber(projectId, customerId), transactionId), async () => {
    const question = await requireWaitingQuestion(deps, name);
    const app = await findStoreApp(deps, projectId, question.request.purchase.appId);
    if (!app)
      throw new Rejection('conflict', 'app-unknown', 'the app of the purchase was deleted; its store is not asked');
    return answer(question, app);
  });
}

type Decision = {
  readonly projectId: string;
  readonly app: StoreApp;
  readonly question: WaitingQuestion;
  readonly preference: RefundPreference;
};
type SentAnswer = Omit<SubscriberEventData['RefundAnswerSent'], 'decidedBy' | 'customerConsented'>;

/** A refusal is part of the result: it is recorded too. */
async function sendAnswer(deps: StoreDeps, { projectId, app, question, preference }: Decision): Promise<SentAnswer> {
  const { request, hadTrial: sampleContentProvided, store } = question;
  const { purchase, transactionId, respondBy, pendingRefundToken } = request;
  const { environment } = purchase;
  const answer = { transactionId, environment, pendingRefundToken, preference, sampleContentProvided };
  const sent = { purchase, transactionId, respondBy, preference, sampleContentProvided };
  try {
    await deps.stores.of(store).answerRefund(deps, { projectId, app }, answer);
    return { ...sent, refusal: null };
  } catch (err) {
    if (!(err instanceof StoreRefusal)) throw err;
    return { ...sent, refusal: err.message };
  }
}

function record(
  deps: StoreDeps,
  { projectId, customerId }: RefundQuestionName,
  answer: SubscriberEventData['RefundAnswerSent'],
  ctx: CommandContext,
) {
  const command = { kind: 'recordRefundAnswer' as const, answer };
  return runOnStream(deps, streams.subscriber(projectId, customerId), [command], ctx);
}

/** Throws {@link Rejection} for an app whose setting leaves each answer to a member. */
function preferenceOf({ refundAnswer = 'none', name }: StoreApp): RefundPreference {
  if (refundAnswer !== 'none') return refundAnswer;
  const message = `send preference: ${name} has no refundAnswer to answer by`;
  throw new Rejection('invalid', 'no-refund-answer', message);
}

function missingConsent(): Rejection {
  return new Rejection(
    'conflict',
    'no-refund-consent',
    'the store takes an answer only with the customer’s consent, and none is recorded; send customerConsented: true if the customer agreed',
  );
}
