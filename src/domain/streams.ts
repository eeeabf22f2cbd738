// Every stream name is built and parsed here and nowhere else. Names must not change once events exist.
// Keys are keyed hashes (ids.ts), so names contain no personal data and no special characters.
import type { StreamName } from './envelope.js';

export const families = [
  'user',
  'project',
  'catalog',
  'experiment',
  'webhook',
  'subscriber',
  'purchase',
  'inbox',
  'certificates',
  'activity',
  'rates',
  'books',
] as const;
export type Family = (typeof families)[number];

const name = <F extends Family>(family: F, rest: string) => `${family}-${rest}` as StreamName<F>;

export const streams = {
  user: (emailKey: string) => name('user', emailKey),
  project: (projectId: string) => name('project', projectId),
  catalog: (projectId: string) => name('catalog', projectId),
  experiment: (projectId: string, experimentId: string) => name('experiment', `${projectId}_${experimentId}`),
  webhook: (projectId: string, webhookId: string) => name('webhook', `${projectId}_${webhookId}`),
  subscriber: (projectId: string, customerId: string) => name('subscriber', `${projectId}_${keyOf(customerId)}`),
  purchase: (projectId: string, store: string, chainKey: string) =>
    name('purchase', `${projectId}_${store}_${chainKey}`),
  inbox: (appId: string, notificationKey: string) => name('inbox', `${appId}_${notificationKey}`),
  /** Takes the id that `inboxIdOf` returns. */
  inboxOf: (inboxId: string) => name('inbox', inboxId),
  /** One stream for each report of a store, one for the settings and closings of a project, and one for the frozen figures of each closing. */
  books: (projectId: string, id: string) => name('books', `${projectId}_${id}`),
  bookClosings: (projectId: string) => name('books', `${projectId}_closings`),
  /** Orders of one report that were looked up at the store. */
  bookLookUps: (projectId: string, reportId: string) => name('books', `${projectId}_${reportId}_orders`),
  /** Findings of the comparisons with reports, one stream for each project. */
  bookFindings: (projectId: string) => name('books', `${projectId}_findings`),
  /** This family and `rates` are shared by all projects. */
  certificates: (key: string) => name('certificates', key),
  rates: () => name('rates', 'ecb'),
  /** `month` is `yyyymm`, UTC. */
  activity: (projectId: string, month: string, customerId: string) =>
    name('activity', `${projectId}_${month}_${keyOf(customerId)}`),
};

/** Takes a text that was stored as the name of a stream. */
export function storedStreamName(text: string): StreamName {
  return text as StreamName;
}

/** Returns the part of a stream's name before its first `-`. */
export function familyOf(stream: StreamName): Family {
  return stream.slice(0, stream.indexOf('-')) as Family;
}

/** Returns true for the name of a stream of the family. */
export function isStreamOf<F extends Family>(family: F, text: string): text is StreamName<F> {
  return text.startsWith(`${family}-`);
}

/** Returns the id of a notification in its events: the stream's name without the family. */
export function inboxIdOf(stream: StreamName): string {
  return stream.slice('inbox-'.length);
}

/** Returns the customer of a `subscriber-` or `activity-` stream. */
export function customerIdOf(stream: StreamName): string {
  return `cus_${stream.slice(stream.lastIndexOf('_') + 1)}`;
}

/** Returns the subject whose data key seals personal fields in this stream. All streams of one customer share one subject. */
export function sealSubjectOf(stream: StreamName): string {
  const family = familyOf(stream);
  return family === 'subscriber' || family === 'activity' ? customerIdOf(stream) : stream;
}

function keyOf(customerId: string): string {
  return customerId.slice('cus_'.length);
}
