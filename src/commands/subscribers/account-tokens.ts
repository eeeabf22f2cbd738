// Owner of an account token. A claim counts if a secret key or a user wrote it, or if a receipt with this token was accepted from the
// customer: a public key can be extracted from the app, so its writes must not assign purchases.
import { accountTokenOf, TOKEN_ATTRIBUTE } from '../../domain/purchase/account-token.js';
import type { AccountToken, SentAccountToken } from '../../domain/purchase/account-token.js';
import type { Actor } from '../../domain/envelope.js';
import { customerId } from '../../domain/ids.js';
import type { Owner } from '../../domain/purchase/purchase.js';
import { streams } from '../../domain/streams.js';
import { evolveProfile } from '../../domain/subscriber/state/evolve.js';
import { noProfile, type ClaimTrust, type Profile } from '../../domain/subscriber/state/state.js';
import type { Deps } from '../handling/deps.js';
import type { LineUpdate } from '../stores/line-update.js';
import { readStream } from '../../adapters/event-log/port.js';

type LogDeps = Pick<Deps, 'log' | 'hash'>;

/**
 * Returns the token that a store sent with a purchase. Ignores a purchase that is shared in a family: its token names the buyer, not the
 * member. A sandbox receipt confirms in the sandbox only, where receipts cost nothing.
 */
export function sentTokenOf(
  { hash }: Pick<Deps, 'hash'>,
  projectId: string,
  { accountToken, commands }: Pick<LineUpdate, 'accountToken' | 'commands'>,
): SentAccountToken | null {
  if (accountToken === null || accountToken === '') return null;
  const purchase = commands.flatMap((c) => ('purchase' in c && c.purchase ? [c.purchase] : [])).at(-1);
  if (!purchase || purchase.ownership === 'family_shared') return null;
  return { ...accountTokenOf(hash, projectId, accountToken), environment: purchase.environment };
}

/** Returns the only customer with a trusted claim on the token; null for none and for several. Merged customers count as one. */
export async function soleClaimant(
  deps: LogDeps & Pick<Deps, 'findByAccountToken'>,
  projectId: string,
  token: SentAccountToken,
): Promise<Owner | null> {
  const { attributeOf, receiptsOf } = await deps.findByAccountToken(projectId, token.key);
  const presenters = receiptsOf.filter((r) => r.environment === token.environment).map((r) => r.customerId);
  const claimants = new Map<string, Owner>();
  for (const id of new Set([...token.customerIds, ...attributeOf, ...presenters])) {
    const claimant = await claimantOf(deps, projectId, token, id, presenters.includes(id));
    if (claimant) claimants.set(claimant.customerId, claimant);
  }
  const [first, ...others] = claimants.values();
  return first && others.length === 0 ? first : null;
}

/** Returns the current identity of this customer, if it has a trusted claim. */
async function claimantOf(
  deps: LogDeps,
  projectId: string,
  token: AccountToken,
  id: string,
  hasReceipt: boolean,
): Promise<Owner | null> {
  const own = await readCustomer(deps, projectId, id);
  let [personId, person] = [id, own.profile];
  while (person.mergedInto !== null) {
    personId = person.mergedInto.customerId;
    person = (await readCustomer(deps, projectId, personId)).profile;
  }
  if (person.status !== 'known') return null;
  const isOf = (appUserId: string) => token.customerIds.includes(customerId(deps.hash, projectId, appUserId));
  const hasToken = (profile: Profile) =>
    profile.attributes.some((a) => a.k === TOKEN_ATTRIBUTE && keyOf(deps, projectId, a.v) === token.key);
  const isTrusted =
    (hasReceipt && ([own.profile.appUserId, person.appUserId, ...person.aliases].some(isOf) || hasToken(person))) ||
    (token.customerIds.includes(id) && (await wroteTrusted(deps, projectId, own, 'appUserId'))) ||
    (hasToken(own.profile) && (await wroteTrusted(deps, projectId, own, 'accountToken')));
  return isTrusted ? { customerId: personId, appUserId: person.appUserId } : null;
}

function keyOf({ hash }: LogDeps, projectId: string, token: string): string {
  return accountTokenOf(hash, projectId, token).key;
}

/** Returns every token that the customer has or had, because other claims on them may count now. */
export async function tokensOf(deps: LogDeps, projectId: string, id: string): Promise<readonly AccountToken[]> {
  const { profile, written } = await readCustomer(deps, projectId, id);
  const tokens = new Set([profile.appUserId, ...profile.aliases, ...written]);
  return [...tokens].filter((t) => t !== '').map((t) => accountTokenOf(deps.hash, projectId, t));
}

/** Returns true for a customer with purchases, also of former ones, of whom another customer may have got them since. */
export async function hadPurchases({ log }: Pick<LogDeps, 'log'>, projectId: string, id: string): Promise<boolean> {
  for await (const { type } of log.read(streams.subscriber(projectId, id))) if (!IDENTITY_EVENTS.has(type)) return true;
  return false;
}

/** Events of customers who may have no purchase. */
const IDENTITY_EVENTS: ReadonlySet<string> = new Set([
  'CustomerCreated',
  'CustomerAttributesUpdated',
  'CustomerMergedInto',
]);

type Customer = {
  readonly profile: Profile;
  /** Actors who wrote the claims, for older events without the trust field. */
  readonly by: Readonly<Record<keyof ClaimTrust, Actor | undefined>>;
  /** All app user ids and account tokens that were ever written. */
  readonly written: readonly string[];
};

async function readCustomer({ log }: Pick<LogDeps, 'log'>, projectId: string, id: string): Promise<Customer> {
  let profile = noProfile;
  const by: Record<keyof ClaimTrust, Actor | undefined> = { appUserId: undefined, accountToken: undefined };
  const writtenIds: string[] = [];
  for await (const event of readStream(log, streams.subscriber(projectId, id))) {
    profile = evolveProfile(profile, event);
    if (event.type === 'CustomerCreated') {
      by.appUserId = event.meta.actor;
      writtenIds.push(event.data.appUserId);
    }
    const token = event.type === 'CustomerAttributesUpdated' ? event.data.attributes?.[TOKEN_ATTRIBUTE] : undefined;
    if (token === undefined) continue;
    by.accountToken = event.meta.actor;
    if (token.value !== null) writtenIds.push(token.value);
  }
  return { profile, by, written: writtenIds };
}

/** Older events lack the trust field: then the kind of the API key decides. */
async function wroteTrusted(
  { log }: Pick<LogDeps, 'log'>,
  projectId: string,
  { profile, by }: Customer,
  claim: keyof ClaimTrust,
): Promise<boolean> {
  const { [claim]: known } = profile.trust;
  const { [claim]: actor } = by;
  if (known !== null || actor?.kind !== 'api_key') return known ?? actor?.kind === 'user';
  for await (const event of readStream(log, streams.project(projectId))) {
    if (event.type === 'ApiKeyCreated' && event.data.keyId === actor.id) return event.data.kind === 'secret';
  }
  return false;
}
