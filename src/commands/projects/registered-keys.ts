// Claims on public keys that another service issued and that published apps contain: each, identified by SHA-256, belongs to one project.
import { z } from 'zod';
import { readRecord, replaceRecord } from '../../adapters/documents/records.js';
import { Rejection } from '../../domain/errors.js';
import type { App } from '../../domain/project/events.js';
import { TEST_STORE, type AppStore } from '../../domain/store-kinds.js';
import { streams } from '../../domain/streams.js';
import { isApiKey } from '../accounts/api-key.js';
import { findCredentialsCheck } from './credential-checks.js';
import type { Deps } from '../handling/deps.js';
import { mapStores } from '../stores/modules.js';

export const registeredKeyCollection = { name: 'registered_keys', indexes: [] };

/** Form of a key that another service issued: never a secret key, nor one of this service. */
export const registeredKey = z
  .string()
  .regex(/^(?!sk_|atk_)[A-Za-z0-9_.-]{8,200}$/, 'must be a public SDK key, such as appl_… or goog_…')
  .refine((key) => !isApiKey(key), 'is a key of this service already');

const storeOfPrefix: ReadonlyMap<string, AppStore> = new Map([
  ...mapStores(({ kind, compatibility }) => compatibility.keyPrefixes.map((prefix) => [prefix, kind] as const)).flat(),
  ['test_', TEST_STORE],
]);

/**
 * Throws {@link Rejection} for the key of an app of another store: the published app that contains the key sends receipts of the key's store,
 * and none of them could be recorded.
 */
export function checkKeyOfApp(key: string, app: App): void {
  const [prefix = ''] = /^[a-z]+_/.exec(key) ?? [];
  const store = storeOfPrefix.get(prefix) ?? app.store;
  if (store === app.store) return;
  const text = `key: ${prefix}… is the key of an app of the ${store}, and ${app.appId} is of the ${app.store}; choose the app of the ${store}`;
  throw new Rejection('invalid', 'key-of-another-store', text);
}

/** Lifetime of a claim without a key, whose event may still be in progress. */
const PENDING_MS = 60_000;

/** Project and app for which a key is registered. */
export type KeyOwner = { readonly projectId: string; readonly appId: string | null };

/**
 * Reserves a key for a project, before its event is appended. A key that another project registered for an app without purchases passes to
 * this one if the store has accepted the credentials of this app and not those of the other: that key is deleted there. Throws
 * {@link Rejection} if it remains the other's.
 */
export async function claimKey(
  deps: Deps,
  owner: KeyOwner,
  sha256: string,
  deleteKey: (projectId: string, keyId: string) => Promise<unknown>,
): Promise<void> {
  const { docs, runtime } = deps;
  const stored = await readRecord(docs, registeredKeyCollection.name, sha256);
  if (stored.doc && (await isClaimValid(deps, stored.doc, sha256))) {
    const holderId = String(stored.doc['projectId']);
    if (holderId === owner.projectId) return;
    const holder = await findKey(deps, holderId, sha256);
    if (!holder || !(await hasBetterClaim(deps, owner, holder))) throw keyTakenError();
    await deleteKey(holderId, holder.keyId);
  }
  const claim = { projectId: owner.projectId, claimedAtMs: runtime.now() };
  if ((await replaceRecord(docs, registeredKeyCollection.name, stored, claim)) === null) throw keyTakenError();
}

/** Returns true if the store knows the app of this owner, and nothing shows that it knows the holder's. */
async function hasBetterClaim(deps: Deps, owner: KeyOwner, holder: KeyOwner): Promise<boolean> {
  return (await isAccepted(deps, owner)) && !(await isAccepted(deps, holder)) && !(await hasPurchases(deps, holder));
}

async function isAccepted(deps: Deps, { appId }: KeyOwner): Promise<boolean> {
  return appId !== null && (await findCredentialsCheck(deps, appId)).valid === true;
}

/** Returns true also for a project with so many purchases of other apps that the first page has none of this one. */
async function hasPurchases(deps: Deps, { projectId, appId }: KeyOwner): Promise<boolean> {
  for (const kind of ['purchase', 'renewal'] as const) {
    const { transactionIds, next } = await deps.findRecentCharges({ projectId, appId: appId ?? '', kind, since: '' });
    if (transactionIds.length > 0 || next !== undefined) return true;
  }
  return false;
}

async function isClaimValid(deps: Deps, claim: Readonly<Record<string, unknown>>, sha256: string): Promise<boolean> {
  if (deps.runtime.now() - Number(claim['claimedAtMs']) < PENDING_MS) return true;
  return (await findKey(deps, String(claim['projectId']), sha256)) !== undefined;
}

async function findKey({ projects }: Deps, projectId: string, sha256: string) {
  const key = (await projects.get(streams.project(projectId)))?.keys.find((one) => one.sha256 === sha256);
  return key && { projectId, keyId: key.keyId, appId: key.appId };
}

const TAKEN =
  'key: registered by another project; delete it there first. Where the other app has no purchases, and the store has accepted the credentials of this app, it can be registered here';

function keyTakenError(): Rejection {
  return new Rejection('conflict', 'key-taken', TAKEN);
}
