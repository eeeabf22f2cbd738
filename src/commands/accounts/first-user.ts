// Rule of `REGISTRATION=first_user_only`: only the first user can register. The log shows whether there is a user; a guarded record
// prevents two concurrent first users.
import { updateRecord } from '../../adapters/documents/records.js';
import type { EventLog } from '../../adapters/event-log/port.js';
import { Rejection } from '../../domain/errors.js';
import { isoFromMs, msFromIso } from '../../domain/time.js';
import type { Deps } from '../handling/deps.js';

/** Record of the registration in progress of the first user. */
export const firstUserCollection = { name: 'first_user', indexes: [] };

const ID = 'claim';
/** Two writes separate claim and event. An older claim was left by a crash and must not block registration permanently. */
const CLAIM_MS = 60_000;

/** Throws {@link Rejection} `registration-closed` when a user is already registered. */
export async function expectNoUser({ log }: Pick<Deps, 'log'>): Promise<void> {
  if (await hasUser(log))
    throw registrationClosed('registration is closed: the first user of this server is already registered');
}

/**
 * Blocks other emails for a minute, long enough to store the registration. Reads the log again after the claim, which reveals a
 * registration made under an earlier claim.
 */
export async function claimFirstUser(deps: Pick<Deps, 'docs' | 'log' | 'runtime'>, emailKey: string): Promise<void> {
  await updateRecord(deps.docs, firstUserCollection.name, ID, (claim) => {
    const now = deps.runtime.now();
    if (claim && claim['emailKey'] !== emailKey && now - msFromIso(String(claim['claimedAt'])) < CLAIM_MS) {
      throw registrationClosed('registration is closed: another registration of the first user is in progress');
    }
    return { emailKey, claimedAt: isoFromMs(now) };
  });
  await expectNoUser(deps);
}

export function registrationClosed(message: string): Rejection {
  return new Rejection('forbidden', 'registration-closed', message);
}

async function hasUser(log: EventLog): Promise<boolean> {
  const end = new AbortController();
  try {
    for await (const feed of log.follow({ after: 'start', families: ['user'], max: 1, signal: end.signal })) {
      if (feed.events.length > 0) return true;
      if (feed.caughtUp) return false;
    }
    return false;
  } finally {
    end.abort();
  }
}
