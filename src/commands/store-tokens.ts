// The secret in a store's notification address. A record, never an event: looked up by its SHA-256, kept sealed to show the address.
import type { Doc } from '../adapters/documents/port.js';
import { openText, sealText } from '../adapters/vault.js';
import type { StoreKind } from '../domain/subscriber/blocks.js';
import { sha256Of } from './api-key.js';
import type { Deps } from './deps.js';

export const storeTokenCollection = {
  name: 'store_tokens',
  indexes: [{ name: 'app', fields: ['appId'] }],
};

export type StoreToken = { readonly projectId: string; readonly appId: string; readonly store: StoreKind };

type Needs = Pick<Deps, 'docs' | 'runtime' | 'dataKeys'>;

export async function issueStoreToken(deps: Needs, o: StoreToken): Promise<void> {
  const token = deps.runtime.randomBytes(32).toString('base64url');
  const key = { id: 'p', key: await deps.dataKeys.forSealing(o.projectId) };
  const sealed = sealText(key, purpose(o), Buffer.from(token), deps.runtime);
  const id = sha256Of(token);
  const write = { c: storeTokenCollection.name, id, expect: null, guard: '1', doc: { ...o, sealed } };
  await deps.docs.write([[write]]);
}

/** Whose notifications this token lets in, or null. */
export async function findStoreToken(deps: Pick<Deps, 'docs'>, token: string): Promise<StoreToken | null> {
  const id = sha256Of(token);
  const doc = (await deps.docs.get(storeTokenCollection.name, [id])).get(id)?.doc;
  return doc ? tokenOf(doc) : null;
}

/** The token itself, to show the app's notification address. */
export async function revealStoreToken(deps: Needs, projectId: string, appId: string): Promise<string | null> {
  const { rows } = await deps.docs.scan(storeTokenCollection.name, { index: 'app', eq: [appId], limit: 1 });
  const doc = rows[0]?.doc;
  if (!doc || doc['projectId'] !== projectId) return null;
  const key = { id: 'p', key: await deps.dataKeys.forSealing(projectId) };
  return openText([key], purpose(tokenOf(doc)), String(doc['sealed'])).toString();
}

function tokenOf(doc: Doc): StoreToken {
  const store = doc['store'] === 'ios-store' ? 'ios-store' : 'android-store';
  return { projectId: String(doc['projectId']), appId: String(doc['appId']), store };
}

function purpose(o: StoreToken): string {
  return `${o.projectId}|${o.appId}|store-token`;
}
