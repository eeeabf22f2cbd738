// A customer's timeline for the command line, read from the log alone, without read models and without a server.
import type { EventLog } from '../../adapters/event-log/port.js';
import { systemRuntime } from '../../adapters/runtime.js';
import { load } from '../../commands/handling/run-command.js';
import { catalogDecider, rulesOf } from '../../domain/catalog/catalog.js';

import { customerId, type KeyedHash } from '../../domain/ids.js';
import { projectDecider } from '../../domain/project/decide.js';
import { streams } from '../../domain/streams.js';
import { subscriberDecider } from '../../domain/subscriber/decide/decider.js';
import { isoFromMs } from '../../domain/time.js';
import { noProfile, type Profile } from '../../domain/subscriber/state/state.js';
import {
  readCause,
  readTimeline,
  type NotificationCause,
  type TimelineEntry,
} from '../../projections/queries/timeline.js';
import { Failure } from '../support/failure.js';

export type CustomerTimeline = {
  readonly projectId: string;
  readonly customerId: string;
  readonly appUserId: string;
  /** App user ids of customers that were merged into this one. */
  readonly aliases: readonly string[];
  readonly entries: readonly { readonly entry: TimelineEntry; readonly cause: NotificationCause | null }[];
};

type Source = { readonly log: EventLog; readonly hash: KeyedHash };

/** `named`: an app user id or a customer id. For a merged customer, returns the timeline of the merge target. Throws {@link Failure}. */
export async function readCustomerTimeline(
  source: Source,
  projectId: string,
  named: string,
): Promise<CustomerTimeline> {
  const { log } = source;
  const { rules } = await currentCatalog(log, projectId);
  const { id, profile } = await findCustomer(source, projectId, named);
  const entries = await readTimeline(log, projectId, id, rules, { eventsUntil: isoFromMs(systemRuntime().now()) });
  const withCauses = entries.map(async (entry) => ({ entry, cause: await readCause(log, entry.correlationId) }));
  const { appUserId, aliases } = profile;
  return { projectId, customerId: id, appUserId, aliases, entries: await Promise.all(withCauses) };
}

/** Finds a customer by app user ID or customer ID, following merges. Throws {@link Failure}. */
export async function findCustomer({ log, hash }: Source, projectId: string, named: string) {
  const asAppUser = customerId(hash, projectId, named);
  for (const id of named.startsWith('cus_') ? [named, asAppUser] : [asAppUser]) {
    const found = await followMerges(log, projectId, id);
    if (found.profile.status === 'known') return found;
  }
  throw new Failure(`customer ${named} not found in project ${projectId}; give an app user id or a cus_ id`);
}

/** Returns the profile of an app user ID after merges; its status says whether the customer exists. */
export async function readProfile({ log, hash }: Source, projectId: string, appUserId: string): Promise<Profile> {
  return (await followMerges(log, projectId, customerId(hash, projectId, appUserId))).profile;
}

async function followMerges(log: EventLog, projectId: string, first: string) {
  let id = first;
  let profile = await profileOf(log, projectId, id);
  while (profile.mergedInto) {
    id = profile.mergedInto.customerId;
    profile = await profileOf(log, projectId, id);
  }
  return { id, profile };
}

async function profileOf(log: EventLog, projectId: string, id: string): Promise<Profile> {
  // The form is checked because the id becomes part of a stream's name.
  if (!/^cus_[0-9a-z]{26}$/.test(id)) return noProfile;
  return (await load(log, streams.subscriber(projectId, id), subscriberDecider)).state.profile;
}

/** Returns the current catalogue and rules, so that access is explained as it is today. Throws {@link Failure}. */
export async function currentCatalog(log: EventLog, projectId: string) {
  const { state: project } = await load(log, streams.project(projectId), projectDecider);
  if (!project) throw new Failure(`project ${projectId} not found in this DATA_DIR`);
  const { state: catalog } = await load(log, streams.catalog(projectId), catalogDecider);
  return { catalog, rules: rulesOf(catalog, project.sandboxAccess !== 'nobody') };
}
