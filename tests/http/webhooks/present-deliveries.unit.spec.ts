// Parts of a receiver's response in lists and in details.
import { expect } from 'chai';
import type { StoredDelivery } from '../../../src/commands/webhooks/deliveries.js';
import { presentDelivery, presentDeliveryDetail } from '../../../src/http/webhooks/delivery-routes.js';

describe('what a receiver answered', () => {
  const responseSnippet = 'ü'.repeat(2048);
  const attempt = { at: '2026-11-20T10:00:00.000Z', ms: 5, status: 500, errorCode: null, responseSnippet };
  const doc = { state: 'failed', appUserId: '', attempts: [attempt, { ...attempt, responseSnippet: 'no' }] };
  const delivery = { id: 'del_1', guard: '1', doc } as unknown as StoredDelivery;
  const snippets = (shown: { readonly attempts: readonly { responseSnippet?: string | null | undefined }[] }) =>
    shown.attempts.map((a) => a.responseSnippet);

  it('is cut to 1 KiB in a list', () =>
    expect(snippets(presentDelivery(delivery))).to.deep.equal(['ü'.repeat(512), 'no']));

  it('is whole in the detail, also when the body is no longer kept', () => {
    const detail = presentDeliveryDetail(delivery, null);
    expect([snippets(detail), detail.body]).to.deep.equal([[responseSnippet, 'no'], null]);
  });
});
