// A customer's timeline: read from the log, and as text of at most 120 columns.
import type { EventLog } from '../../adapters/event-log/port.js';
import { systemRuntime } from '../../adapters/runtime.js';
import { load } from '../../commands/handling/run-command.js';
import { catalogDecider, rulesOf } from '../../domain/catalog/catalog.js';
import type { Actor } from '../../domain/envelope.js';
import { customerId, type KeyedHash } from '../../domain/ids.js';
import { projectDecider } from '../../domain/project/decide.js';
import { streams } from '../../domain/streams.js';
import { subscriberDecider } from '../../domain/subscriber/decide/decider.js';
import { noProfile, type Profile } from '../../domain/subscriber/state/state.js';
import { isoFromMs } from '../../domain/time.js';
import { createCauseReader, reportText, type EntryCause } from '../../projections/queries/entry-causes.js';
import { readTimeline, type TimelineEntry, type Access } from '../../projections/queries/timeline.js';
import { Failure } from '../support/outcome.js';

export type CustomerTimeline = {
  readonly projectId: string;
  readonly customerId: string;
  readonly appUserId: string;
  /** App user ids of customers that were merged into this one. */
  readonly aliases: readonly string[];
  readonly entries: readonly { readonly entry: TimelineEntry; readonly cause: EntryCause | null }[];
};

type Source = { readonly log: EventLog; readonly hash: KeyedHash };

/** `nameOrId`: an app user id or a customer id. For a merged customer, returns the timeline of the merge target. Throws {@link Failure}. */
export async function readCustomerTimeline(
  source: Source,
  projectId: string,
  nameOrId: string,
): Promise<CustomerTimeline> {
  const { log } = source;
  const { rules } = await currentCatalog(log, projectId);
  const { id, profile } = await findCustomer(source, projectId, nameOrId);
  const entries = await readTimeline(log, projectId, id, rules, { eventsUntil: isoFromMs(systemRuntime().now()) });
  const causeOf = createCauseReader(log);
  const withCauses = entries.map(async (entry) => ({ entry, cause: await causeOf(entry.correlationId) }));
  const { appUserId, aliases } = profile;
  return { projectId, customerId: id, appUserId, aliases, entries: await Promise.all(withCauses) };
}

/** Finds a customer by app user ID or customer ID, following merges. Throws {@link Failure}. */
export async function findCustomer({ log, hash }: Source, projectId: string, nameOrId: string) {
  const asAppUser = customerId(hash, projectId, nameOrId);
  for (const id of nameOrId.startsWith('cus_') ? [nameOrId, asAppUser] : [asAppUser]) {
    const found = await followMerges(log, projectId, id);
    if (found.profile.status === 'known') return found;
  }
  throw new Failure(`customer ${nameOrId} not found in project ${projectId}; give an app user id or a cus_ id`);
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

const COLUMNS = 120;
const INDENT = ' '.repeat('2026-01-05 10:00 UTC  '.length);
/** Delay of recording above which an event is shown with the time of recording. */
const PROMPT_MS = 3_600_000;

export function timelineText(timeline: CustomerTimeline): readonly string[] {
  const { appUserId, customerId, aliases, entries } = timeline;
  const also = aliases.map((alias) => `also known as ${alias}`);
  return [`${appUserId} (${customerId})`, ...also, '', ...groupEntries(entries).flatMap(groupText)];
}

type CausedEntry = CustomerTimeline['entries'][number];
/** Events of one time and one cause take effect together: the access between them never existed. */
type EventGroup = readonly [CausedEntry, ...CausedEntry[]];

function groupEntries(entries: readonly CausedEntry[]): readonly EventGroup[] {
  return entries.reduce<readonly EventGroup[]>((groups, next) => {
    const last = groups.at(-1);
    return last && isSameGroup(last[0].entry, next.entry)
      ? [...groups.slice(0, -1), [...last, next]]
      : [...groups, [next]];
  }, []);
}

function isSameGroup(a: TimelineEntry, b: TimelineEntry): boolean {
  return a.at === b.at && a.correlationId === b.correlationId;
}

function groupText(eventGroup: EventGroup): readonly string[] {
  const [{ entry: first, cause }] = eventGroup;
  const last = eventGroup.at(-1)?.entry ?? first;
  const isLate = Date.parse(first.recordedAt) - Date.parse(first.at) > PROMPT_MS;
  const by = [
    `by ${actorText(first.actor)}`,
    causeText(first, cause),
    isLate ? `recorded ${minute(first.recordedAt)}` : '',
  ];
  const [before, after] = [accessText(first.access.before), accessText(last.access.after)];
  return [
    ...eventGroup.flatMap(({ entry }) => wrapText(minute(entry.at), entry.summary, ' ')),
    ...wrapText('', by.filter((part) => part !== '').join(', '), ', '),
    ...(before === after ? [] : wrapText('', `access: ${after}`, ', ')),
  ];
}

function actorText({ kind, id }: Actor): string {
  switch (kind) {
    case 'store':
      return `the ${id}`;
    case 'api_key':
      return `API key ${id}`;
    case 'user':
      return `user ${id}`;
    case 'import':
      return `import ${id}`;
    case 'system':
      return id === 'deadlines' ? 'elapsed time' : `the service (${id})`;
  }
}

function causeText({ correlationId }: TimelineEntry, cause: EntryCause | null): string {
  if (cause && 'notification' in cause) return `notification ${cause.notification.type}`;
  if (cause) return `learned from ${reportText(cause.report)}`;
  return correlationId.startsWith('req_') ? `request ${correlationId}` : '';
}

function accessText(access: Access): string {
  const parts = Object.entries(access).map(([key, until]) =>
    until === null ? `${key} with no end date` : `${key} until ${minute(until)}`,
  );
  return parts.length === 0 ? 'none' : parts.join(', ');
}

export function minute(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;
}

/** Wraps lines at 120 columns, after separators; continuation lines are aligned with the text of the first line. */
export function wrapText(margin: string, text: string, separator: string): readonly string[] {
  const begin = margin.padEnd(INDENT.length);
  const at = text.lastIndexOf(separator, COLUMNS - begin.length - separator.length);
  if (begin.length + text.length <= COLUMNS || at <= 0) return [begin + text];
  const end = at + separator.length;
  return [(begin + text.slice(0, end)).trimEnd(), ...wrapText('', text.slice(end), separator)];
}
