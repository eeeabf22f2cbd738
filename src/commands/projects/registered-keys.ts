// Claims on public keys that another service issued and that published apps contain: each, identified by SHA-256, belongs to one project.
import { z } from 'zod';
import { readRecord, replaceRecord } from '../../adapters/documents/records.js';
import { Rejection } from '../../domain/errors.js';
import type { App } from '../../domain/project/events.js';
import { TEST_STORE, type AppStore } from '../../domain/store-kinds.js';
import { streams } from '../../domain/streams.js';
import { isApiKey } from '../accounts/api-key.js';
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

/** Reserves a key for a project, before its event is appended. Throws {@link Rejection} if another project has it. */
export async function claimKey(deps: Deps, projectId: string, sha256: string): Promise<void> {
  const { docs, runtime } = deps;
  const stored = await readRecord(docs, registeredKeyCollection.name, sha256);
  if (stored.doc && (await isClaimValid(deps, stored.doc, sha256))) {
    if (stored.doc['projectId'] === projectId) return;
    throw keyTakenError();
  }
  const claim = { projectId, claimedAtMs: runtime.now() };
  if ((await replaceRecord(docs, registeredKeyCollection.name, stored, claim)) === null) throw keyTakenError();
}

async function isClaimValid(deps: Deps, claim: Readonly<Record<string, unknown>>, sha256: string): Promise<boolean> {
  if (deps.runtime.now() - Number(claim['claimedAtMs']) < PENDING_MS) return true;
  const project = await deps.projects.get(streams.project(String(claim['projectId'])));
  return project?.keys.some((key) => key.sha256 === sha256) === true;
}

function keyTakenError(): Rejection {
  return new Rejection('conflict', 'key-taken', 'key: registered by another project; delete it there first');
}
