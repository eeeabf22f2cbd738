// Identity of a request with an `Idempotency-Key`: caller, key and content.
import { createHash } from 'node:crypto';
import type { IdempotentRequest } from '../../commands/idempotency/idempotency.js';
import { customerId, isCustomerId } from '../../domain/ids.js';
import { FULL_VISIBILITY } from '../../domain/values/field-groups.js';
import { HttpError } from '../bodies/errors.js';
import type { Exchange } from './exchange.js';
import type { Input, Route } from './route.js';
import type { Services } from './services.js';

const MAX_LENGTH = 255;
const NOBODY = 'nobody';

/** Returns null without a key, and if a key has no effect: for reads, for uploads, for pure requests, and for callers that cannot be distinguished. */
export function idempotentRequestOf(
  { method, takesFile, isPure, idempotencyScope }: Route,
  exchange: Exchange,
  body: unknown,
  { caller, scope, visibility, by }: Pick<Input<never, never, never>, 'caller' | 'scope' | 'visibility' | 'by'>,
  { deps }: Services,
): IdempotentRequest | null {
  const key = exchange.req.headers['idempotency-key'];
  const hasNoEffect = method !== 'post' || takesFile || isPure;
  if (key === undefined || hasNoEffect || (caller.kind === 'nobody' && !idempotencyScope)) return null;
  if (typeof key !== 'string' || key.length === 0 || key.length > MAX_LENGTH)
    throw new HttpError(400, `Idempotency-Key must have 1 to ${MAX_LENGTH} characters`);
  // The response was stored as its caller saw it; a caller with less visibility must not get it.
  const visibilities = visibility === FULL_VISIBILITY ? [] : [visibility];
  const content = JSON.stringify([method, exchange.req.url, scope.projectId, body ?? null, ...visibilities]);
  if (caller.kind === 'nobody') {
    const name = [NOBODY, idempotencyScope?.(body as never) ?? '', key];
    // The body contains a password: only a keyed hash of it may be stored.
    return { name, fingerprint: deps.hash('asked', content), subject: NOBODY, requestId: by.requestId };
  }
  const callerId = caller.kind === 'key' ? caller.keyId : caller.userId;
  const { projectId } = scope;
  const { appUserId, cid } = exchange.params;
  const byName = (name: string) => customerId(deps.hash, projectId, name);
  const customer = appUserId !== undefined ? byName(appUserId) : cid && (isCustomerId(cid) ? cid : byName(cid));
  return {
    name: [callerId, projectId, key],
    fingerprint: deps.hash('asked', content),
    formerFingerprint: () => createHash('sha256').update(content).digest('base64url'),
    // The response is sealed with the keys of all customers of the request, so that erasing one of them erases it.
    subject: customer ?? (projectId || callerId),
    requestId: by.requestId,
  };
}
