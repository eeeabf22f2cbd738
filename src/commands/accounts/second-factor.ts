// Second factor of users: a record with the sealed secret, the last accepted time step and the hashes of unused recovery codes. Nothing of it
// is ever part of an event.
import { z } from 'zod';
import type { DocStore } from '../../adapters/documents/port.js';
import { readRecord, removeRecord, updateRecord } from '../../adapters/documents/records.js';
import { Rejection } from '../../domain/errors.js';
import { streams } from '../../domain/streams.js';
import { isoFromMs, msFromIso } from '../../domain/time.js';
import type { Deps } from '../handling/deps.js';
import { lockKeys } from '../handling/keyed-mutex.js';
import { openUnlessErased, sealErasably } from '../projects/app-secrets.js';
import {
  findRecoveryCode,
  makeRecoveryCodes,
  makeTotpSecret,
  matchTotpCode,
  normalizeCode,
  recoveryHashOf,
} from './totp.js';

export const secondFactorCollection = { name: 'second_factors', indexes: [] };

const active = z.object({
  sealed: z.string(),
  enabledAt: z.string(),
  /** Time step of the last accepted code. */
  lastStep: z.int(),
  /** SHA-256 of the unused recovery codes. */
  recoverySha256: z.array(z.string()),
  /** Wrong codes with the right password since the last accepted one. */
  wrongCodes: z.int(),
  lastWrongAt: z.string(),
});
const schema = z.object({
  active: active.nullable(),
  /** Secret that is shown, but not confirmed by a code yet. */
  pending: z.object({ sealed: z.string(), createdAt: z.string() }).nullable(),
});
type SecondFactorRecord = z.output<typeof schema>;

/** `emailKey`: key of the user's stream, whose data key seals the secret. */
export type FactorOwner = { readonly userId: string; readonly emailKey: string };

type Needs = Pick<Deps, 'docs' | 'runtime' | 'dataKeys' | 'mutex'>;

/** State of a user's second factor, without its secret. */
export type SecondFactorState = { readonly enabledAt: string | null; readonly recoveryCodesLeft: number };

/** `none`: the user has no second factor. `recoveryCodesLeft`: set if a recovery code was used. */
export type CodeCheck =
  | { readonly kind: 'none' }
  | { readonly kind: 'wrong' }
  | { readonly kind: 'right'; readonly recoveryCodesLeft: number | null };

const PENDING_MS = 60 * 60_000;
const FREE_WRONG_CODES = 5;
const MIN_PAUSE_MS = 60_000;
const MAX_PAUSE_MS = 24 * 60 * 60_000;

const c = secondFactorCollection.name;

export async function readSecondFactor(docs: DocStore, userId: string): Promise<SecondFactorState> {
  const { active: on } = (await readFactor(docs, userId)) ?? { active: null };
  return { enabledAt: on?.enabledAt ?? null, recoveryCodesLeft: on?.recoverySha256.length ?? 0 };
}

/** Stores a new secret that takes effect when a code confirms it. A repeat replaces it. Throws {@link Rejection} if one is in effect. */
export async function prepareSecondFactor(deps: Needs, owner: FactorOwner): Promise<Buffer> {
  const secret = makeTotpSecret(deps.runtime);
  const sealed = await sealSecret(deps, owner, secret);
  const createdAt = isoFromMs(deps.runtime.now());
  await updateFactor(deps.docs, owner.userId, (factor) => {
    if (factor?.active) throw alreadyOnError();
    return { active: null, pending: { sealed, createdAt } };
  });
  return secret;
}

/** Puts the pending secret in effect, and returns the recovery codes; null for a wrong code. Throws {@link Rejection}. */
export async function confirmSecondFactor(
  deps: Needs,
  owner: FactorOwner,
  code: string,
): Promise<readonly string[] | null> {
  const { docs, runtime } = deps;
  const now = runtime.now();
  const { active: on = null, pending = null } = (await readFactor(docs, owner.userId)) ?? {};
  if (on) throw alreadyOnError();
  if (!pending || now - msFromIso(pending.createdAt) > PENDING_MS) {
    throw new Rejection('conflict', 'no-pending-factor', 'there is no secret to confirm; request a new one');
  }
  const secret = await openSecret(deps, owner, pending.sealed);
  const lastStep = secret && matchTotpCode(secret, normalizeCode(code), now, 0);
  if (lastStep === null) return null;
  const codes = makeRecoveryCodes(runtime);
  const recoverySha256 = codes.map(recoveryHashOf);
  const started = { enabledAt: isoFromMs(now), lastStep, recoverySha256, wrongCodes: 0, lastWrongAt: '' };
  await updateFactor(docs, owner.userId, (factor) => {
    if (factor?.pending?.sealed !== pending.sealed) throw alreadyOnError();
    return { active: { sealed: pending.sealed, ...started }, pending: null };
  });
  return codes;
}

/** Replaces the recovery codes, which must follow a check of the password and a code. Throws {@link Rejection} without a second factor. */
export async function replaceRecoveryCodes({ docs, runtime }: Needs, userId: string): Promise<readonly string[]> {
  const codes = makeRecoveryCodes(runtime);
  await updateFactor(docs, userId, (factor) => {
    if (!factor?.active) throw notOnError();
    return { ...factor, active: { ...factor.active, recoverySha256: codes.map(recoveryHashOf) } };
  });
  return codes;
}

/** Removes the second factor. Returns false if there was none. */
export async function removeSecondFactor(docs: DocStore, userId: string): Promise<boolean> {
  return removeRecord(docs, c, userId);
}

/**
 * Checks a code after the password was right, and uses it up. Checks of one user run one after the other, and an accepted code is stored by a
 * guarded write, so that of two requests with one code only one is accepted.
 */
export function checkCode(deps: Needs, owner: FactorOwner, code: string | undefined): Promise<CodeCheck> {
  return deps.mutex.run(lockKeys.secondFactor(owner.userId), () => checkInTurn(deps, owner, normalizeCode(code ?? '')));
}

async function checkInTurn(deps: Needs, owner: FactorOwner, code: string): Promise<CodeCheck> {
  const { docs, runtime } = deps;
  const found = await readFactor(docs, owner.userId);
  if (!found?.active) return { kind: 'none' };
  const secret = await openSecret(deps, owner, found.active.sealed);
  const now = runtime.now();
  let check: CodeCheck = { kind: 'wrong' };
  await updateFactor(docs, owner.userId, (factor) => {
    if (!factor?.active) {
      check = { kind: 'none' };
      return undefined;
    }
    const on = factor.active;
    const accepted = { ...on, wrongCodes: 0, lastWrongAt: '' };
    const used = findRecoveryCode(code, on.recoverySha256);
    if (used >= 0) {
      const recoverySha256 = on.recoverySha256.filter((_, i) => i !== used);
      check = { kind: 'right', recoveryCodesLeft: recoverySha256.length };
      return { ...factor, active: { ...accepted, recoverySha256 } };
    }
    check = { kind: 'wrong' };
    if (isPaused(on, now)) return undefined;
    const step = secret && matchTotpCode(secret, code, now, on.lastStep);
    if (step !== null) {
      check = { kind: 'right', recoveryCodesLeft: null };
      return { ...factor, active: { ...accepted, lastStep: step } };
    }
    // Without a code nothing was guessed.
    if (code === '') return undefined;
    return { ...factor, active: { ...on, wrongCodes: on.wrongCodes + 1, lastWrongAt: isoFromMs(now) } };
  });
  return check;
}

/**
 * Whoever knows the password can try codes: after five wrong ones no code is accepted for a minute, and the pause doubles up to a day with
 * each further one. Recovery codes are accepted meanwhile.
 */
function isPaused({ wrongCodes, lastWrongAt }: NonNullable<SecondFactorRecord['active']>, nowMs: number): boolean {
  if (wrongCodes < FREE_WRONG_CODES) return false;
  const pause = Math.min(MIN_PAUSE_MS * 2 ** (wrongCodes - FREE_WRONG_CODES), MAX_PAUSE_MS);
  return nowMs - msFromIso(lastWrongAt) < pause;
}

async function readFactor(docs: DocStore, userId: string): Promise<SecondFactorRecord | null> {
  const { doc } = await readRecord(docs, c, userId);
  return doc && schema.parse(doc);
}

async function updateFactor(
  docs: DocStore,
  userId: string,
  change: (factor: SecondFactorRecord | null) => SecondFactorRecord | undefined,
): Promise<void> {
  await updateRecord(docs, c, userId, (doc) => change(doc && schema.parse(doc)));
}

function sealSecret(deps: Needs, { userId, emailKey }: FactorOwner, secret: Buffer): Promise<string> {
  return sealErasably(deps, streams.user(emailKey), purposeOf(userId), secret.toString('base64'));
}

/** Returns null once the user's data key was erased. */
async function openSecret(deps: Needs, { userId, emailKey }: FactorOwner, sealed: string): Promise<Buffer | null> {
  const text = await openUnlessErased(deps, streams.user(emailKey), purposeOf(userId), sealed);
  return text === null ? null : Buffer.from(text, 'base64');
}

function purposeOf(userId: string): string {
  return `second-factor|${userId}`;
}

function alreadyOnError(): Rejection {
  return new Rejection('conflict', 'second-factor-on', 'a second factor is in effect already; remove it first');
}

export function notOnError(): Rejection {
  return new Rejection('conflict', 'second-factor-off', 'there is no second factor; set one up first');
}
