// Facts for the specs of the staging area.
import type { ImportedFact } from '../../../src/domain/imports/facts.js';

const unknown = { aliases: [], firstSeenAt: null, lastSeenAt: null, country: null, platform: null, attributes: {} };

/** A grant of a long entitlement, so that few of them fill a cache. */
export function grantOf(appUserId: string, aliases: readonly string[] = []): ImportedFact {
  const grant = { appUserId, entitlement: 'x'.repeat(500), startsAt: '2026-01-01T00:00:00.000Z', expiresAt: null };
  const customer = { appUserId, ...unknown, aliases: [...aliases] };
  const about = { customerKey: appUserId, updatedAt: '', from: { file: 'a.csv', row: 2 } };
  return { ...about, customer, purchase: null, grant, token: null };
}
