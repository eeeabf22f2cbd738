// Plays a customer's request for a refund, which waits for an answer: the store asks what the service knows about the purchase.
import type { Lifecycle, StoreEvent } from '../lifecycle-events.js';
import { isStoreEvent, play, type PlaybackContext } from './play.js';

/** The request comes some time before the end of the simulation, within the hours that the store waits. */
const WAITING_MS = 3_600_000;
const CHARGES: ReadonlySet<StoreEvent['kind']> = new Set(['started', 'renewed', 'recovered', 'resubscribed']);

/**
 * Chooses the identified customer with the latest charge at the store that was not followed by another event. Every earlier event must be
 * processed. `untilMs`: end of the simulation, UTC.
 */
export async function playRefundRequest(
  lifecycles: readonly Lifecycle[],
  untilMs: number,
  stage: PlaybackContext,
): Promise<void> {
  const at = untilMs - WAITING_MS;
  const [latest] = lifecycles
    .filter((lifecycle) => lifecycle.appUserId !== null && !stage.android.plays(lifecycle))
    .flatMap((lifecycle) => {
      const last = lifecycle.events.at(-1);
      const isCharge = last && isStoreEvent(last) && CHARGES.has(last.kind) && last.bought.priceMilli > 0;
      return isCharge && last.at < at ? [{ lifecycle, last }] : [];
    })
    .sort((a, b) => b.last.at - a.last.at);
  if (!latest) return;
  const { lifecycle, last } = latest;
  const event: StoreEvent = { ...last, kind: 'refundRequested', at };
  await play({ lifecycle, index: lifecycle.events.length, event }, stage);
}
