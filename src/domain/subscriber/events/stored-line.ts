// A purchase line as older events carry it, in the form of today.

type Fields = Readonly<Record<string, unknown>>;

/** Version 1 knew no pending payments, pauses, planned changes, revocations and deferred reversals. */
export function lineOfToday(data: Record<string, unknown>): Record<string, unknown> {
  const snapshot = data['snapshot'] as Fields;
  const all = (name: string) => (snapshot[name] ?? []) as readonly Fields[];
  return {
    ...data,
    snapshot: {
      ...snapshot,
      subscriptions: all('subscriptions').map((s) => ({ ...unknownThen, ...s })),
      owned: all('owned').map((o) => ({ revokedAt: null, ...o })),
      transactions: all('transactions').map(transactionOfToday),
      noted: [],
    },
  };
}

const unknownThen = { revokedAt: null, pending: null, pause: null, nextProduct: null, priceIncrease: null };

function transactionOfToday({ reversedRefunds, ...known }: Fields): Fields {
  const reversed = (reversedRefunds ?? []) as readonly string[];
  const refund = known['refund'] as { readonly at: string } | null;
  const refundedAts = refund === null ? reversed : [...reversed, refund.at];
  return { ...known, refundedAts, reversedAts: reversed, deferredReversals: [] };
}
