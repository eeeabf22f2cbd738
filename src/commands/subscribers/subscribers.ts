// Commands on a subscriber, identified by app user id. A merged customer's stream is a pointer to the customer that it was merged into.
import { MergedElsewhere, Rejection } from '../../domain/errors.js';
import { customerId } from '../../domain/ids.js';
import { streams } from '../../domain/streams.js';
import type { AttributeChange, RegisterCustomer, SubscriberCommand } from '../../domain/subscriber/decide/commands.js';
import { grantEnd, type GrantDuration } from '../../domain/subscriber/grant-durations.js';
import type { Subscriber } from '../../domain/subscriber/state/state.js';
import { isoFromMs } from '../../domain/time.js';
import { findEntitlementInLog } from '../catalog/catalog.js';
import { contextOf, type Deps, type Requester } from '../handling/deps.js';
import type { CommandContext, CommandResult } from '../handling/run-command.js';
import { runOnStream } from './subscriber-states.js';

export type SubscriberResult = CommandResult<Subscriber> & { readonly customerId: string; readonly appUserId: string };

/** Runs on the customer's stream. Throws {@link MergedElsewhere} for one that was merged into another. */
export async function runOnCustomer(
  deps: Deps,
  projectId: string,
  appUserId: string,
  commands: readonly SubscriberCommand[],
  ctx: CommandContext,
): Promise<SubscriberResult> {
  const id = customerId(deps.hash, projectId, appUserId);
  const stream = streams.subscriber(projectId, id);
  const result = await runOnStream(deps, stream, commands, ctx);
  return { ...result, customerId: id, appUserId };
}

/** Runs on the customer's stream, or on the stream of the customer that it was merged into. */
export async function runOnSubscriber(
  deps: Deps,
  projectId: string,
  appUserId: string,
  commands: readonly SubscriberCommand[],
  ctx: CommandContext,
): Promise<SubscriberResult> {
  try {
    return await runOnCustomer(deps, projectId, appUserId, commands, ctx);
  } catch (err) {
    if (!(err instanceof MergedElsewhere)) throw err;
    const { appUserId: survivor } = err;
    // After a crash the merge target may not exist yet: it must not be created with the trust that the caller has for the other name only.
    const renamed = commands.map((c) =>
      c.kind === 'registerCustomer' ? { ...c, appUserId: survivor, isTrusted: false } : c,
    );
    return runOnSubscriber(deps, projectId, survivor, renamed, ctx);
  }
}

export type Introduction = Omit<RegisterCustomer, 'kind' | 'appUserId'>;

/** Creates the subscriber if it does not exist. */
export function registerSubscriber(
  deps: Deps,
  by: Requester,
  projectId: string,
  appUserId: string,
  o: Introduction,
): Promise<SubscriberResult> {
  const command = { kind: 'registerCustomer' as const, appUserId, ...o, ...trustOf(by) };
  return runOnSubscriber(deps, projectId, appUserId, [command], contextOf(by, projectId));
}

/** Creates the subscriber if it does not exist; makes all changes or none. */
export function setAttributes(
  deps: Deps,
  by: Requester,
  projectId: string,
  appUserId: string,
  o: Introduction & { readonly changes: readonly AttributeChange[] },
): Promise<SubscriberResult> {
  const { changes, ...introduction } = o;
  const commands = [
    { kind: 'registerCustomer' as const, appUserId, ...introduction, ...trustOf(by) },
    { kind: 'setAttributes' as const, appUserId, changes, ...trustOf(by) },
  ];
  return runOnSubscriber(deps, projectId, appUserId, commands, contextOf(by, projectId));
}

/** A caller's trusted statement counts as an account token. */
export function trustOf({ isTrusted = false }: { readonly isTrusted?: boolean }) {
  return { isTrusted };
}

type GrantRequest = {
  readonly entitlement: string;
  readonly duration: GrantDuration | null;
  readonly expiresAt: string | null;
  readonly startsAt: string | null;
};

/** Grants access from now; a duration counts from `startsAt`. Creates the subscriber if it does not exist. */
export async function grantPromotional(
  deps: Deps,
  by: Requester,
  projectId: string,
  appUserId: string,
  o: GrantRequest,
): Promise<SubscriberResult & { readonly grantId: string }> {
  const { entitlementId, lookupKey } = await findEntitlementInLog(deps, projectId, o.entitlement);
  const now = isoFromMs(deps.runtime.now());
  const startsAt = o.startsAt ?? now;
  const expiresAt = o.duration === null ? o.expiresAt : grantEnd(startsAt, o.duration);
  if (expiresAt !== null && (expiresAt <= now || expiresAt <= startsAt)) {
    throw new Rejection('invalid', 'grant-in-the-past', 'the grant must end in the future and after it starts');
  }
  const grantId = deps.runtime.newId('grant');
  const grant = {
    kind: 'grantPromotional' as const,
    grantId,
    entitlementId,
    lookupKey,
    duration: o.duration,
    startsAt,
    expiresAt,
  };
  const introduce = { kind: 'registerCustomer' as const, appUserId, source: 'api' as const, ...trustOf(by) };
  const commands = [introduce, grant];
  const result = await runOnSubscriber(deps, projectId, appUserId, commands, contextOf(by, projectId));
  return { ...result, grantId };
}

export async function revokePromotional(
  deps: Deps,
  by: Requester,
  projectId: string,
  appUserId: string,
  entitlement: string,
): Promise<SubscriberResult> {
  const { entitlementId } = await findEntitlementInLog(deps, projectId, entitlement);
  const command = { kind: 'revokePromotional' as const, entitlementId, now: isoFromMs(deps.runtime.now()) };
  return runOnSubscriber(deps, projectId, appUserId, [command], contextOf(by, projectId));
}
