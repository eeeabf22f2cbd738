// Questions of the stores about refunds: open until the store decides.
import { expect } from 'chai';
import { subscriberEvents as e } from '../../../src/domain/subscriber/events/events.js';
import { refundRequests } from '../../../src/projections/models/refund-requests.js';
import { bought, customer, DAY } from '../support/customer-events.js';
import { given, past } from '../support/spec.js';

const ann = customer('ann');
const ben = customer('ben');

const requested = (of: typeof ann, transactionId: string, at: string, respondBy: string) => {
  const data = { purchase: bought(transactionId), transactionId, reason: 'UNINTENDED_PURCHASE', respondBy };
  return past(of.stream, e.ConsumptionInformationRequested.of({ ...data, pendingRefundToken: null }), at);
};
const declined = (of: typeof ann, transactionId: string, at: string) =>
  past(of.stream, e.RefundDeclined.of({ purchase: bought(transactionId), transactionId }), at);

describe('refund requests read model', () => {
  it('holds a request with its time limit', () =>
    given(refundRequests, ann.created(), ann.subscribed(), requested(ann, 'tx_1', DAY(4), DAY(5))).then((found) =>
      expect(found['refund_requests']).to.deep.equal({
        'cus_ann|tx_1': {
          projectId: 'proj_1',
          customerId: 'cus_ann',
          transactionId: 'tx_1',
          appId: 'app_1',
          store: 'ios-store',
          storeProductId: 'pro.month',
          environment: 'production',
          reason: 'UNINTENDED_PURCHASE',
          requestedAt: DAY(4),
          respondBy: DAY(5),
          state: 'open',
          answer: null,
          refusal: null,
        },
      }),
    ));

  it('is closed by the decision of the store about the same transaction', () =>
    given(
      refundRequests,
      ...[ann.subscribed(), ben.subscribed({ tx: 'tx_5' })],
      ...[requested(ann, 'tx_1', DAY(4), DAY(5)), requested(ann, 'tx_2', DAY(4), DAY(5))],
      requested(ben, 'tx_5', DAY(4), DAY(5)),
      ...[ann.refunded('tx_1', DAY(5)), declined(ben, 'tx_5', DAY(5))],
    ).then((found) => {
      const states = Object.entries(found['refund_requests'] ?? {}).map(([id, doc]) => [id, doc['state']]);
      expect(Object.fromEntries(states)).to.deep.equal({
        'cus_ann|tx_1': 'refunded',
        'cus_ann|tx_2': 'open',
        'cus_ben|tx_5': 'declined',
      });
    }));

  it('states the answer, or why the store did not take it, until the store asks again', async () => {
    const asked = requested(ann, 'tx_1', DAY(4), DAY(5));
    const started = [ann.subscribed(), asked];
    const shared = { customerConsented: true, sampleContentProvided: false, decidedBy: 'policy' as const };
    const answer = (respondBy: string, refusal: string | null, at: string) => {
      const of = { purchase: bought('tx_1'), transactionId: 'tx_1', respondBy, preference: 'decline' as const };
      return past(ann.stream, e.RefundAnswerSent.of({ ...of, ...shared, refusal }), at);
    };
    const states: readonly (readonly [
      events: ReturnType<typeof answer>[],
      state: string,
      sent: boolean,
      text: string | null,
    ])[] = [
      [[answer(DAY(5), 'no', DAY(4))], 'open', false, 'no'],
      [[answer(DAY(5), 'no', DAY(4)), answer(DAY(5), null, DAY(4))], 'answered', true, null],
      // A late update of the store repeats the question.
      [[answer(DAY(5), null, DAY(4)), asked], 'answered', true, null],
      [[answer(DAY(5), null, DAY(4)), requested(ann, 'tx_1', DAY(8), DAY(9))], 'open', false, null],
      [[answer(DAY(3), null, DAY(4))], 'open', false, null],
      [[ann.refunded('tx_1', DAY(5)), answer(DAY(5), null, DAY(5))], 'refunded', true, null],
      [[answer(DAY(5), null, DAY(4)), ann.refunded('tx_1', DAY(5))], 'refunded', true, null],
    ];
    for (const [events, state, sent, refusal] of states) {
      const doc = (await given(refundRequests, ...started, ...events))['refund_requests']?.['cus_ann|tx_1'];
      expect([doc?.['state'], doc?.['answer'] !== null, doc?.['refusal']]).to.deep.equal([state, sent, refusal]);
    }
  });

  it('ignores refunds without a request of a store', () =>
    given(refundRequests, ann.subscribed(), ann.refunded('tx_1')).then((found) =>
      expect(Object.keys(found['refund_requests'] ?? {})).to.deep.equal([]),
    ));
});
