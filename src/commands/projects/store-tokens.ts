// Secret in a store's notification address. A record, never an event: looked up by its SHA-256, stored sealed to show the address.
import type { Doc, Row } from '../../adapters/documents/port.js';
import { scanPages, buildInsertion, readRecord, buildReplacement } from '../../adapters/documents/records.js';
import { storeKindOf, type StoreKind } from '../../domain/store-kinds.js';
import { isoFromMs } from '../../domain/time.js';
import { sha256Of } from '../accounts/api-key.js';
import { openForApp, sealForApp } from './app-secrets.js';
import type { Deps } from '../handling/deps.js';

export const storeTokenCollection = {
  name: 'store_tokens',
  indexes: [{ name: 'app', fields: ['appId'] }],
};

export type StoreToken = { readonly projectId: string; readonly appId: string; readonly store: StoreKind };

type Needs = Pick<Deps, 'docs' | 'runtime' | 'dataKeys'>;

const FIELD = 'store-token';
/** Time to enter the new address at the store. */
const GRACE_MS = 24 * 3600 * 1000;

export async function issueStoreToken(deps: Needs, o: StoreToken): Promise<void> {
  const token = deps.runtime.randomBytes(32).toString('base64url');
  const sealed = await sealForApp(deps, o, FIELD, token);
  await deps.docs.write([[buildInsertion(storeTokenCollection.name, sha256Of(token), { ...o, sealed })]]);
}

/** Issues another token. The current one expires in a day; earlier ones keep their expiry, and expired ones are removed. */
export async function rotateStoreToken(deps: Needs, o: StoreToken): Promise<void> {
  const now = deps.runtime.now();
  const validUntil = isoFromMs(now + GRACE_MS);
  const former = await tokensOf(deps, o.appId);
  await issueStoreToken(deps, o);
  const writes = former.flatMap((row) => {
    const isCurrent = row.doc['validUntil'] === undefined;
    if (!isCurrent && !hasEnded(row.doc, now)) return [];
    return [buildReplacement(storeTokenCollection.name, row, isCurrent ? { ...row.doc, validUntil } : null)];
  });
  if (writes.length > 0) await deps.docs.write([writes]);
}

/** Owner of a token; `until`: the instant (ISO 8601, UTC) at which it expires or has expired. */
export type TokenOwner = { readonly of: StoreToken; readonly until: string | null };

/** Finds a token by its SHA-256; null if unknown. */
export async function findStoreToken({ docs }: Pick<Deps, 'docs'>, id: string): Promise<TokenOwner | null> {
  const { doc } = await readRecord(docs, storeTokenCollection.name, id);
  return doc && tokenOwnerOf(doc);
}

/** Returns all tokens by their SHA-256, up to about `maxTokens`. */
export async function allStoreTokens(
  { docs }: Pick<Deps, 'docs'>,
  maxTokens: number,
): Promise<ReadonlyMap<string, TokenOwner>> {
  const found = new Map<string, TokenOwner>();
  const all = { index: 'id', eq: [], limit: 500 };
  for await (const rows of scanPages(all, (scan) => docs.scan(storeTokenCollection.name, scan))) {
    for (const { id, doc } of rows) found.set(id, tokenOwnerOf(doc));
    if (found.size >= maxTokens) break;
  }
  return found;
}

function tokenOwnerOf(doc: Doc): TokenOwner {
  return { of: tokenOf(doc), until: doc['validUntil'] === undefined ? null : String(doc['validUntil']) };
}

/** Opens the token, to show the app's notification address. */
export async function revealStoreToken(deps: Needs, projectId: string, appId: string): Promise<string | null> {
  const rows = await tokensOf(deps, appId);
  const doc = rows.find((row) => row.doc['validUntil'] === undefined)?.doc;
  if (!doc || doc['projectId'] !== projectId) return null;
  return openForApp(deps, tokenOf(doc), FIELD, String(doc['sealed']));
}

/** Returns the current token and its predecessors. */
async function tokensOf({ docs }: Needs, appId: string): Promise<readonly Row[]> {
  return (await docs.scan(storeTokenCollection.name, { index: 'app', eq: [appId], limit: 100 })).rows;
}

function hasEnded(doc: Doc, nowMs: number): boolean {
  return doc['validUntil'] !== undefined && String(doc['validUntil']) <= isoFromMs(nowMs);
}

function tokenOf(doc: Doc): StoreToken {
  return { projectId: String(doc['projectId']), appId: String(doc['appId']), store: storeKindOf(doc['store']) };
}
