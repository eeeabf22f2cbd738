// Time ranges in which a subscription is live: contract and grace period, shortened by ends and by refunds that end access.
import type { Adjustment, Mark, Period } from './history.js';

/** Live time: live at an instant `t` if `from < t <= to`, in its grace period after `contractEnd`. */
export type Piece = {
  readonly from: number;
  readonly to: number;
  readonly contractEnd: number;
  readonly period: Period;
};

/**
 * Returns the live time of a subscription. `periods`, `marks` and the adjustments of a transaction are ordered by `at`. Non-recurring
 * periods have no live time but limit that of others.
 */
export function piecesOf(
  periods: readonly Period[],
  marks: readonly Mark[],
  adjustmentsOf: (id: string) => readonly Adjustment[],
): Piece[] {
  const pieces: Piece[] = [];
  for (const [i, period] of periods.entries()) {
    if (!recurs(period)) continue;
    const next = periods[i + 1]?.at ?? Infinity;
    const { contractEnd, end } = endsOf(period, next, marks);
    let from = period.at;
    let isRevoked = false;
    const add = (to: number) => {
      if (from < to) pieces.push({ from, to, contractEnd, period });
    };
    for (const a of adjustmentsOf(period.id)) {
      if (a.at >= end) break;
      if (a.kind === 'refund' && a.cuts && !isRevoked) {
        add(a.at);
        isRevoked = true;
      } else if (a.kind === 'reversal' && isRevoked) {
        from = Math.max(period.at, a.at);
        isRevoked = false;
      }
    }
    if (!isRevoked) add(end);
  }
  return pieces;
}

function recurs({ type }: Period): boolean {
  return type === 'trial' || type === 'intro' || type === 'normal';
}

/** Returns the end of the contract and of live time. A mark belongs to the latest period that started before it. */
export function endsOf(period: Period, next: number, marks: readonly Mark[]): { contractEnd: number; end: number } {
  let contractEnd = period.until ?? period.at;
  let grace = -Infinity;
  for (const m of marks) {
    if (m.at < period.at || m.at >= next) continue;
    if (m.kind === 'extended') contractEnd = m.until;
    if (m.kind === 'grace') grace = Math.max(grace, m.until);
  }
  let end = Math.min(Math.max(contractEnd, grace), next);
  for (const m of marks) if (m.kind === 'cut' && m.at > period.at && m.at < end) end = m.at;
  return { contractEnd, end };
}

export type Renewal = 'set_to_renew' | 'set_to_cancel' | 'billing_issue';
export type Stretch = { readonly from: number; readonly to: number; readonly renewal: Renewal };

/** Splits live time by renewal status at each instant. */
export function stretchesOf(piece: Piece, marks: readonly Mark[]): Stretch[] {
  const stretches: Stretch[] = [];
  const border = Math.min(Math.max(piece.from, piece.contractEnd), piece.to);
  let from = piece.from;
  let renewal: Renewal = 'set_to_renew';
  for (const m of marks) {
    if (m.kind !== 'renew_on' && m.kind !== 'renew_off') continue;
    const to = Math.min(m.at, border);
    if (from < to) {
      stretches.push({ from, to, renewal });
      from = to;
    }
    renewal = m.kind === 'renew_on' ? 'set_to_renew' : 'set_to_cancel';
  }
  if (from < border) stretches.push({ from, to: border, renewal });
  if (border < piece.to) stretches.push({ from: border, to: piece.to, renewal: 'billing_issue' });
  return stretches;
}
