// Secrets of a webhook: its signing secrets and its authorization header. Sealed records, never part of events.
import { collectRows, readRecord, updateRecord, recordsNamed, readRecords } from '../../adapters/documents/records.js';
import { isoFromMs } from '../../domain/time.js';
import type { HeaderState } from '../../domain/webhook/events.js';
import { openFor, sealFor, type SecretOwner } from '../projects/app-secrets.js';
import type { Deps } from '../handling/deps.js';

export const webhookSecretCollection = {
  name: recordsNamed<SecretRecord>('webhook_secrets'),
  indexes: [{ name: 'project', fields: ['projectId'] }],
};

type Needs = Pick<Deps, 'docs' | 'runtime' | 'dataKeys'>;
export type WebhookRef = { readonly projectId: string; readonly webhookId: string };

/** Newest first; `validUntil` null for the current one. */
type SealedSecret = { readonly sealed: string; readonly preview: string; readonly validUntil: string | null };
type SecretRecord = {
  readonly projectId: string;
  readonly secrets: readonly SealedSecret[];
  readonly authorizationHeader: string | null;
};

/** `secrets`: valid signing secrets (`whsec_…`), newest first. */
export type SigningKeys = { readonly secrets: readonly string[]; readonly authorizationHeader: string | null };

const MAX_OLD = 5;
const PAGE = 500;

/** Creates the record of a new webhook and returns its secret, `whsec_` and 32 random bytes in base64. */
export async function issueSecret(
  deps: Needs,
  ref: WebhookRef,
  authorizationHeader: string | null,
): Promise<{ secret: string; preview: string }> {
  const secret = generateSecret(deps);
  const sealedHeader =
    authorizationHeader === null ? null : await sealFor(deps, ownerOf(ref), 'header', authorizationHeader);
  const sealed = await sealSecret(deps, ref, secret);
  await updateSecrets(deps, ref, () => ({
    projectId: ref.projectId,
    secrets: [sealed],
    authorizationHeader: sealedHeader,
  }));
  return { secret, preview: sealed.preview };
}

/** Keeps the previous secret valid for a number of hours; retains at most five old ones, and none that has expired. */
export async function rotateSecret(deps: Needs, ref: WebhookRef, graceHours: number): Promise<string> {
  const secret = generateSecret(deps);
  const sealed = await sealSecret(deps, ref, secret);
  const now = deps.runtime.now();
  const validUntil = isoFromMs(now + graceHours * 3_600_000);
  await updateSecrets(deps, ref, (record) => {
    const former = (record?.secrets ?? [])
      .map((s) => ({ ...s, validUntil: s.validUntil ?? validUntil }))
      .filter((s) => s.validUntil > isoFromMs(now));
    const authorizationHeader = record?.authorizationHeader ?? null;
    return { projectId: ref.projectId, secrets: [sealed, ...former.slice(0, MAX_OLD)], authorizationHeader };
  });
  return secret;
}

/** Returns the change from the current header to another one; null if they are equal. */
export async function compareAuthorizationHeader(
  deps: Needs,
  ref: WebhookRef,
  header: string | null,
): Promise<{ readonly from: HeaderState; readonly to: HeaderState } | null> {
  const sealed = (await findSecrets(deps, ref.webhookId))?.authorizationHeader ?? null;
  const before = sealed === null ? null : await openFor(deps, ownerOf(ref), 'header', sealed);
  if (before === header) return null;
  const from = before === null ? 'none' : 'set';
  return { from, to: header === null ? 'none' : from === 'set' ? 'changed' : 'set' };
}

export async function setAuthorizationHeader(deps: Needs, ref: WebhookRef, header: string | null): Promise<void> {
  const sealed = header === null ? null : await sealFor(deps, ownerOf(ref), 'header', header);
  await updateSecrets(deps, ref, (record) => record && { ...record, authorizationHeader: sealed });
}

/** Returns null if the webhook was deleted. */
export async function openSigningKeys(deps: Needs, ref: WebhookRef): Promise<SigningKeys | null> {
  const record = await findSecrets(deps, ref.webhookId);
  if (record?.projectId !== ref.projectId) return null;
  const now = isoFromMs(deps.runtime.now());
  const live = record.secrets.filter((s) => s.validUntil === null || s.validUntil > now);
  const secrets = await Promise.all(live.map((s) => openFor(deps, ownerOf(ref), 'secret', s.sealed)));
  const { authorizationHeader: header } = record;
  return { secrets, authorizationHeader: header && (await openFor(deps, ownerOf(ref), 'header', header)) };
}

/** Returns the parts of a webhook's secrets that may be shown. */
export async function secretPreviews(
  { docs }: Pick<Deps, 'docs'>,
  webhookIds: readonly string[],
): Promise<ReadonlyMap<string, { preview: string; hasAuthorizationHeader: boolean }>> {
  const found = await readRecords(docs, webhookSecretCollection.name, webhookIds);
  const secrets = [...found].flatMap(([id, record]) => {
    const preview = record.secrets[0]?.preview;
    if (preview === undefined) return [];
    return [[id, { preview, hasAuthorizationHeader: record.authorizationHeader !== null }] as const];
  });
  return new Map(secrets);
}

export async function deleteSecrets(deps: Pick<Deps, 'docs'>, ref: WebhookRef): Promise<void> {
  await updateSecrets(deps, ref, () => null);
}

/** Returns the webhooks of a project that have secrets: all of them, and possibly one whose creation was interrupted. */
export async function webhookIdsOf({ docs }: Pick<Deps, 'docs'>, projectId: string): Promise<readonly string[]> {
  const ofProject = { index: 'project', eq: [projectId], limit: PAGE };
  const rows = await collectRows(ofProject, (scan) => docs.scan(webhookSecretCollection.name, scan));
  return rows.map((row) => row.id);
}

async function sealSecret(deps: Needs, ref: WebhookRef, secret: string): Promise<SealedSecret> {
  const sealed = await sealFor(deps, ownerOf(ref), 'secret', secret);
  return { sealed, preview: `whsec_…${secret.slice(-4)}`, validUntil: null };
}

function generateSecret({ runtime }: Needs): string {
  return `whsec_${runtime.randomBytes(32).toString('base64')}`;
}

async function findSecrets({ docs }: Pick<Deps, 'docs'>, webhookId: string): Promise<SecretRecord | null> {
  return (await readRecord(docs, webhookSecretCollection.name, webhookId)).doc;
}

async function updateSecrets(
  { docs }: Pick<Deps, 'docs'>,
  { webhookId }: WebhookRef,
  next: (record: SecretRecord | null) => SecretRecord | null,
): Promise<void> {
  await updateRecord(docs, webhookSecretCollection.name, webhookId, next);
}

function ownerOf({ projectId, webhookId }: WebhookRef): SecretOwner {
  return { projectId, ownerId: webhookId };
}
