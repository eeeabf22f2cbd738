// The questions of a store about a refund, as the log has them: what was asked, and what became of it.
import { Rejection } from '../../domain/errors.js';
import { REFUND_CONSENT, type RefundConsent } from '../../domain/project/events.js';
import { isTestStore, type StoreKind } from '../../domain/store-kinds.js';
import { streams } from '../../domain/streams.js';
import type { SubscriberEventData } from '../../domain/subscriber/events/events.js';
import type { Profile } from '../../domain/subscriber/state/state.js';
import { isoFromMs } from '../../domain/time.js';
import { ofFamily } from '../../domain/vocabulary.js';
import type { Deps } from '../handling/deps.js';
import { resolveCustomer } from '../subscribers/line-ownership.js';
import { loadSubscriber } from '../subscribers/subscriber-states.js';

/** The charge, and the customer who had the purchase when the store put its question. */
export type RefundQuestionName = {
  readonly projectId: string;
  readonly customerId: string;
  readonly transactionId: string;
};

type QuestionData = SubscriberEventData['ConsumptionInformationRequested'];

/** `hadTrial`: the purchase line began with a free trial. `end`: what became of the question, in words; null while it waits. */
type RefundQuestion = { readonly request: QuestionData; readonly hadTrial: boolean; readonly end: string | null };

/** Returns the latest question about the transaction; null if there is none. */
async function readQuestion(
  deps: Pick<Deps, 'log' | 'runtime'>,
  { projectId, customerId, transactionId }: RefundQuestionName,
): Promise<RefundQuestion | null> {
  let request: QuestionData | null = null;
  let end: string | null = null;
  let isErased = false;
  const trialChains = new Set<string>();
  for await (const stored of deps.log.read(streams.subscriber(projectId, customerId))) {
    const event = ofFamily(stored, 'subscriber');
    if (event?.type === 'CustomerErased') isErased = true;
    if (event?.type === 'CustomerCreated') isErased = false;
    if (event?.type === 'SubscriptionStarted' && event.data.periodType === 'trial')
      trialChains.add(event.data.purchase.storeChainId);
    if (!event || !('transactionId' in event.data) || event.data.transactionId !== transactionId) continue;
    if (event.type === 'ConsumptionInformationRequested') {
      if (request?.respondBy !== event.data.respondBy) end = null;
      request = event.data;
    }
    if (event.type === 'TransactionRefunded') end = 'the store has refunded it';
    if (event.type === 'TransactionRefundReversed') end = 'the store has reversed the refund';
    if (event.type === 'RefundDeclined') end = 'the store has declined the refund';
    if (event.type === 'RefundAnswerSent' && event.data.refusal === null) end = 'an answer was sent';
  }
  if (!request) return null;
  const { respondBy, purchase } = request;
  const erased = isErased ? 'the customer was erased, and nothing is sent about them' : null;
  const lapsed = respondBy < isoFromMs(deps.runtime.now()) ? `the store waited until ${respondBy}` : null;
  return { request, hadTrial: trialChains.has(purchase.storeChainId), end: end ?? lapsed ?? erased };
}

/** Question that waits for an answer, of a store that takes one. */
export type WaitingQuestion = Omit<RefundQuestion, 'end'> & { readonly store: StoreKind };

/** Throws {@link Rejection} for a question that no store has put, or that no longer waits. */
export async function requireWaitingQuestion(
  deps: Pick<Deps, 'log' | 'runtime'>,
  name: RefundQuestionName,
): Promise<WaitingQuestion> {
  const question = await readQuestion(deps, name);
  if (!question || isTestStore(question.request.purchase.store))
    throw new Rejection('missing', 'refund-request-unknown', 'refund request not found in this project');
  const { end, ...waiting } = question;
  if (end !== null)
    throw new Rejection('conflict', 'refund-request-over', `the question no longer waits for an answer: ${end}`);
  return { ...waiting, store: question.request.purchase.store };
}

/** Returns true if the customer, or the customer that it was merged into, agrees that the store gets data about the purchase. */
export async function hasRefundConsent(
  deps: Deps,
  { projectId, customerId }: RefundQuestionName,
  consent: RefundConsent | undefined,
): Promise<boolean> {
  const { profile } = (await loadSubscriber(deps, streams.subscriber(projectId, customerId))).state;
  if (consent === 'terms') return true;
  const owner = profile.mergedInto ? await resolveCustomer(deps, projectId, profile.mergedInto.appUserId) : null;
  const holder = owner ? await loadSubscriber(deps, streams.subscriber(projectId, owner.customerId)) : null;
  const { attributes } = holder?.state.profile ?? profile;
  return statesRefundConsent(attributes);
}

/** Returns true if the customer agreed by an attribute. */
export function statesRefundConsent(attributes: Profile['attributes']): boolean {
  return attributes.some(({ k, v }) => k === REFUND_CONSENT && v === 'true');
}
