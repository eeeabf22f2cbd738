// Books refunds, their reversals and corrected prices for the customer who paid, after the purchase was transferred to another one.
import { commandIds } from '../handling/command-ids.js';
import type { RecordedEvent } from '../../domain/envelope.js';
import { customerIdOf, streams } from '../../domain/streams.js';
import { subscriberDecider } from '../../domain/subscriber/decide/decider.js';
import { MergedElsewhere } from '../../domain/errors.js';
import type { MoneyEvent } from '../../domain/subscriber/state/payer.js';
import type { Deps } from '../handling/deps.js';
import { toDecidedForm, runCommand } from '../handling/run-command.js';

type PayerUpdate = RecordedEvent<MoneyEvent>;

/** Excludes an event that was only reordered, because the payer's stream already contains it. */
export function concernsPayer(event: RecordedEvent): event is PayerUpdate {
  return event.meta.late !== 'announced' && event.data['paidBy'] !== undefined;
}

/** Books the event for the payer, following merges. Safe to repeat: each stream on the way is checked for an earlier try. */
export async function bookForPayer(deps: Deps, event: PayerUpdate): Promise<void> {
  const { actor, correlationId, projectId = '' } = event.meta;
  const ctx = { commandId: commandIds.payersOf(event.id), actor, correlationId, causationId: event.id, projectId };
  const heldBy = customerIdOf(event.stream);
  const command = { kind: 'bookForPayer' as const, heldBy, event: toDecidedForm<MoneyEvent>(event) };
  for (let payer = event.data.paidBy; payer !== undefined;) {
    const stream = streams.subscriber(projectId, payer);
    payer = undefined;
    try {
      await deps.mutex.run(stream, () => runCommand(deps, stream, subscriberDecider, [command], ctx));
    } catch (err) {
      if (!(err instanceof MergedElsewhere)) throw err;
      payer = err.customerId;
    }
  }
}
