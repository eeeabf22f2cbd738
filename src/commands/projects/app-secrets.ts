// Storage of secrets of an app or a webhook in records: sealed with the project's data key, for one field of one owner. They cannot be
// opened for another field or owner.
import { openText, sealText } from '../../adapters/keys/vault.js';
import { CannotOpen } from '../../domain/errors.js';
import type { Deps } from '../handling/deps.js';

export type AppRef = { readonly projectId: string; readonly appId: string };
/** `ownerId`: id of an app or of a webhook. */
export type SecretOwner = { readonly projectId: string; readonly ownerId: string };

type Needs = Pick<Deps, 'runtime' | 'dataKeys'>;

const KEY_ID = 'p';

export function sealForApp(deps: Needs, app: AppRef, field: string, plain: string): Promise<string> {
  return sealFor(deps, ownerOf(app), field, plain);
}

export function openForApp(deps: Needs, app: AppRef, field: string, sealed: string): Promise<string> {
  return openFor(deps, ownerOf(app), field, sealed);
}

export async function sealFor(deps: Needs, owner: SecretOwner, field: string, plain: string): Promise<string> {
  return sealText(await keyOf(deps, owner), purpose(owner, field), Buffer.from(plain), deps.runtime);
}

/** Throws `CannotOpen` for a secret of another owner or field. */
export async function openFor(deps: Needs, owner: SecretOwner, field: string, sealed: string): Promise<string> {
  return openText([await keyOf(deps, owner)], purpose(owner, field), sealed).toString();
}

/** Seals with the data key of a customer or project, so that erasing the key erases the content. */
export async function sealErasably(deps: Needs, subject: string, purpose: string, plain: string): Promise<string> {
  const key = { id: KEY_ID, key: await deps.dataKeys.forSealing(subject) };
  return sealText(key, purpose, Buffer.from(plain), deps.runtime);
}

/** Returns null once the subject's key has been erased, even if it has a new one since. */
export async function openUnlessErased(
  { dataKeys }: Pick<Needs, 'dataKeys'>,
  subject: string,
  purpose: string,
  sealed: string,
): Promise<string | null> {
  // If the cached keys do not open it, it may be sealed with a newer key of another process.
  for (const isFresh of [false, true]) {
    const keys = (await dataKeys.forOpening([subject], { isFresh })).get(subject) ?? [];
    for (const key of keys) {
      try {
        return openText([{ id: KEY_ID, key }], purpose, sealed).toString();
      } catch (err) {
        if (!(err instanceof CannotOpen)) throw err;
      }
    }
  }
  return null;
}

async function keyOf({ dataKeys }: Needs, { projectId }: SecretOwner) {
  return { id: KEY_ID, key: await dataKeys.forSealing(projectId) };
}

function ownerOf({ projectId, appId }: AppRef): SecretOwner {
  return { projectId, ownerId: appId };
}

function purpose({ projectId, ownerId }: SecretOwner, field: string): string {
  return `${projectId}|${ownerId}|${field}`;
}
