// Events as they would have been under other rules: for copies of the charts that answer "what if", never for what is served.
import type { RecordedEvent } from '../../domain/envelope.js';
import type { Money } from '../../domain/money.js';

export type WhatIf = {
  readonly refundPolicy?: 'keep_until_expiry' | 'revoke_immediately';
  /** Share (0..1) of the gross price that the stores keep. */
  readonly commission?: number;
};

type Data = { readonly [field: string]: unknown; readonly money?: Money; readonly refund?: { readonly money: Money } };

export function supposing(rules: WhatIf): (event: RecordedEvent) => RecordedEvent {
  const { commission, refundPolicy } = rules;
  const changes = [
    ...(commission === undefined ? [] : [(data: Data) => withCommission(data, commission)]),
    ...(refundPolicy === undefined ? [] : [(data: Data, type: string) => withPolicy(data, type, refundPolicy)]),
  ];
  return (event) => {
    const data = changes.reduce((data, change) => change(data, event.type), event.data as Data);
    return data === event.data ? event : { ...event, data };
  };
}

function withCommission(data: Data, commissionRate: number): Data {
  const { money, refund } = data;
  if (!money && !refund?.money) return data;
  return {
    ...data,
    ...(money && { money: { ...money, commissionRate } }),
    ...(refund?.money && { refund: { ...refund, money: { ...refund.money, commissionRate } } }),
  };
}

/**
 * Only a refund of the latest transaction of its chain can take access, under whatever policy. What was decided under the supposed one
 * stays as it was: it knew, besides, whether there was access left to take.
 */
function withPolicy(data: Data, type: string, policy: NonNullable<WhatIf['refundPolicy']>): Data {
  const revokes = policy === 'revoke_immediately';
  if (type === 'TransactionRefunded' && data['policy'] === policy) return data;
  if (type === 'TransactionRefunded') return { ...data, policy, accessRevoked: revokes && data['isLatest'] === true };
  if (type === 'TransactionRefundReversed' && !revokes) return { ...data, accessRestored: false };
  return data;
}
