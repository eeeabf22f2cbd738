// A change of the audit with the values before and after it, without secrets.
import type { EventLog } from '../../adapters/event-log/port.js';
import type { Actor, RecordedEvent } from '../../domain/envelope.js';
import { customerIdOf } from '../../domain/streams.js';
import { changes, isAboutCustomer, targetFieldOf, type ChangeDoc } from '../models/changes.js';
import type { ReadModels } from './read-models.js';
import { isFields } from '../../domain/values/json.js';

type Fields = Readonly<Record<string, unknown>>;

export type Change = {
  readonly id: string;
  readonly at: string;
  readonly actor: Actor;
  readonly action: string;
  readonly target: { readonly kind: string; readonly id: string; readonly customerId: string | null };
  /** Null if created. */
  readonly before: Fields | null;
  /** Null if removed. */
  readonly after: Fields | null;
};

export type ChangeRow = { readonly id: string; readonly doc: ChangeDoc };

/** Internal fields: digests of keys, keyed hashes of emails, and fields that are presented otherwise. */
const INTERNAL_FIELDS: ReadonlySet<string> = new Set(['sha256', 'emailKey', 'projectId', 'changes', 'withProduct']);
/** Maximum size of a value; a longer document is replaced by its size. */
const MAX_CHARACTERS = 2000;

/** Returns null for a change that was erased in the log. */
export async function readChange(log: EventLog, readModels: ReadModels, row: ChangeRow): Promise<Change | null> {
  const event = await eventOf(log, row);
  if (!event) return null;
  const { doc } = row;
  const customerId = isAboutCustomer(doc.stream) ? customerIdOf(doc.stream) : null;
  const target = { kind: doc.targetKind, id: doc.targetId, customerId };
  const { before, after } = await sidesOf(log, readModels, row, event);
  return { id: row.id, at: doc.at, actor: event.meta.actor, action: doc.action, target, before, after };
}

async function eventOf(log: EventLog, { id, doc }: ChangeRow): Promise<RecordedEvent | null> {
  for await (const event of log.read(doc.stream, doc.revision > 0 ? doc.revision - 1 : undefined))
    return event.id === id ? event : null;
  return null;
}

async function sidesOf(log: EventLog, readModels: ReadModels, row: ChangeRow, event: RecordedEvent) {
  const own = fieldsOf(event);
  const { changes: changed } = event.data;
  if (isFields(changed)) return { before: sideOf(changed, 'from'), after: sideOf(changed, 'to') };
  if (event.type === 'MemberRoleChanged') return { before: { role: own['from'] }, after: { role: own['to'] } };
  if (isRemoval(event.type)) return { before: { ...(await fieldsBefore(log, readModels, row)), ...own }, after: null };
  return { before: null, after: own };
}

function sideOf(changed: Fields, side: 'from' | 'to'): Fields {
  const known = Object.entries(changed).flatMap(([name, values]) =>
    isFields(values) && side in values ? [[name, presentValue(values[side])] as const] : [],
  );
  return Object.fromEntries(known);
}

function fieldsOf({ type, data }: RecordedEvent): Fields {
  const targetField = targetFieldOf(type);
  const otherFields = Object.entries(data).filter(([name]) => name !== targetField && !INTERNAL_FIELDS.has(name));
  return Object.fromEntries(otherFields.map(([name, value]) => [name, presentValue(value)]));
}

function presentValue(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { length } = JSON.stringify(value);
  return length > MAX_CHARACTERS ? { characters: length } : value;
}

function isRemoval(type: string): boolean {
  return /(Deleted|Removed|Withdrawn|Revoked|Detached)$/.test(type);
}

const MAX_EARLIER = 50;
/** Fields that name an object, the best one first. */
const NAME_FIELDS = ['name', 'displayName', 'lookupKey', 'url', 'email'];

type Target = Pick<Change['target'], 'kind' | 'id'>;

/**
 * Returns the latest name of a target, also of a deleted one: its name, lookup key, address or email. Credentials and report sources have the
 * name of their app. Null if its latest changes contain none.
 */
export async function readTargetName(
  log: EventLog,
  readModels: ReadModels,
  projectId: string,
  { kind, id }: Target,
): Promise<string | null> {
  const targetKind = kind === 'credentials' || kind === 'reportSource' ? 'app' : kind;
  const rows = (await readTargetChanges(readModels, projectId, id)).filter(({ doc }) => doc.targetKind === targetKind);
  for (const row of rows) {
    const event = await eventOf(log, row);
    const fields = event ? targetFields(event) : {};
    const name = NAME_FIELDS.map((field) => fields[field]).find((value) => typeof value === 'string');
    if (typeof name === 'string') return name;
  }
  return null;
}

/** Returns the changes of a target, newest first, at most {@link MAX_EARLIER}. */
async function readTargetChanges(readModels: ReadModels, projectId: string, targetId: string) {
  const { rows } = await readModels.scan(changes, {
    index: 'target',
    eq: [projectId, targetId],
    limit: MAX_EARLIER,
    reverse: true,
  });
  return rows;
}

/** Returns the fields of the target from earlier changes, because a removal contains only its id. */
async function fieldsBefore(log: EventLog, readModels: ReadModels, { doc }: ChangeRow): Promise<Fields> {
  if (doc.action.endsWith('Detached')) return {};
  const rows = await readTargetChanges(readModels, doc.projectId, doc.targetId);
  const isEarlier = (other: ChangeRow) => other.doc.targetKind === doc.targetKind && other.doc.position < doc.position;
  const events = await Promise.all(rows.filter(isEarlier).map((row) => eventOf(log, row)));
  return events.reduceRight<Fields>((known, event) => ({ ...known, ...(event ? targetFields(event) : {}) }), {});
}

/** Returns the fields of the target itself in an event, without those of objects attached to it. */
function targetFields(event: RecordedEvent): Fields {
  if (/(Attached|Detached)$/.test(event.type) || isRemoval(event.type)) return {};
  const { changes: changed } = event.data;
  if (isFields(changed)) return sideOf(changed, 'to');
  const own = fieldsOf(event);
  return event.type === 'MemberRoleChanged' ? { role: own['to'] } : own;
}
