// Checks attributes before anything else of the same request is written.
import { decideAll } from '../../domain/decider.js';
import { streams } from '../../domain/streams.js';
import type { AttributeChange } from '../../domain/subscriber/decide/commands.js';
import { subscriberDecider } from '../../domain/subscriber/decide/decider.js';
import type { Deps } from '../handling/deps.js';
import { resolveCustomer } from './line-ownership.js';
import { load } from '../handling/run-command.js';

/** Throws the {@link Rejection} of setting the attributes. Writes nothing. */
export async function checkAttributes(
  deps: Pick<Deps, 'log' | 'hash'>,
  projectId: string,
  appUserId: string,
  changes: readonly AttributeChange[],
): Promise<void> {
  if (changes.length === 0) return;
  const { customerId } = await resolveCustomer(deps, projectId, appUserId);
  const { state } = await load(deps.log, streams.subscriber(projectId, customerId), subscriberDecider);
  const register = { kind: 'registerCustomer' as const, appUserId, source: 'sdk' as const };
  decideAll(subscriberDecider, [register, { kind: 'setAttributes' as const, changes }], state);
}
