// Formats a timeline for a terminal: time and event, then actor and cause, then the access if it changed. At most 120 columns.
import type { Actor } from '../../domain/envelope.js';
import type { Access, NotificationCause, TimelineEntry } from '../../projections/queries/timeline.js';
import type { CustomerTimeline } from './read-timeline.js';

const COLUMNS = 120;
const INDENT = ' '.repeat('2026-01-05 10:00 UTC  '.length);
/** Delay of recording above which an event is shown with the time of recording. */
const PROMPT_MS = 3_600_000;

export function timelineText(timeline: CustomerTimeline): readonly string[] {
  const { appUserId, customerId, aliases, entries } = timeline;
  const also = aliases.map((alias) => `also known as ${alias}`);
  return [`${appUserId} (${customerId})`, ...also, '', ...momentsOf(entries).flatMap(momentText)];
}

type CausedEntry = CustomerTimeline['entries'][number];
/** Events of one time and one cause take effect together: the access between them never existed. */
type Moment = readonly [CausedEntry, ...CausedEntry[]];

function momentsOf(entries: readonly CausedEntry[]): readonly Moment[] {
  return entries.reduce<readonly Moment[]>((moments, next) => {
    const last = moments.at(-1);
    return last && isSameMoment(last[0].entry, next.entry)
      ? [...moments.slice(0, -1), [...last, next]]
      : [...moments, [next]];
  }, []);
}

function isSameMoment(a: TimelineEntry, b: TimelineEntry): boolean {
  return a.at === b.at && a.correlationId === b.correlationId;
}

function momentText(moment: Moment): readonly string[] {
  const [{ entry: first, cause }] = moment;
  const last = moment.at(-1)?.entry ?? first;
  const isLate = Date.parse(first.recordedAt) - Date.parse(first.at) > PROMPT_MS;
  const by = [
    `by ${actorText(first.actor)}`,
    causeText(first, cause),
    isLate ? `recorded ${minute(first.recordedAt)}` : '',
  ];
  const [before, after] = [accessText(first.access.before), accessText(last.access.after)];
  return [
    ...moment.flatMap(({ entry }) => wrapText(minute(entry.at), entry.summary, ' ')),
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

function causeText({ correlationId }: TimelineEntry, cause: NotificationCause | null): string {
  if (cause) return `notification ${cause.type}`;
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
