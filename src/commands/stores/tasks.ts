// Pending requests to a store: notifications whose purchase could not be read yet, acknowledgements of purchases, polls for refunds.
// Records with a due time, so that an unavailable store delays nothing else and nothing is lost.
import { z } from 'zod';
import type { Row } from '../../adapters/documents/port.js';
import { scanPages, createRecord, removeRecord, replaceRecord } from '../../adapters/documents/records.js';
import { isoFromMs } from '../../domain/time.js';
import type { Deps } from '../handling/deps.js';

export const storeTaskCollection = {
  name: 'store_tasks',
  indexes: [
    { name: 'due', fields: ['dueAt'] },
    { name: 'app', fields: ['appId'] },
  ],
};

/** The store's integration defines the content; that of a notification is the same for all. */
const work = z.object({ kind: z.string() }).catchall(z.json());
export const notificationWork = z.object({ kind: z.literal('notification'), stream: z.string() });

const taskDoc = z.object({
  projectId: z.string(),
  appId: z.string(),
  dueAt: z.string(),
  attempts: z.number(),
  work,
});

export type StoreWork = z.output<typeof work>;
/** Next work under the same ID, and its delay in ms. */
export type NextWork<W extends StoreWork = StoreWork> = { readonly work: W; readonly inMs: number };
/** `next` null: the task is done. `warning`: reason of a task without effect. */
export type CompletedTask = {
  readonly next: NextWork | null;
  readonly warning?: { readonly reason: string; readonly message: string };
};
export type StoreTask = z.output<typeof taskDoc> & { readonly id: string; readonly guard: string };

/** Sorts after every instant: the task waits until credentials are registered. */
export const DUE_WITH_CREDENTIALS = '9999-12-31T00:00:00.000Z';

type Needs = Pick<Deps, 'docs' | 'runtime'>;
type NewStoreTask = {
  readonly projectId: string;
  readonly appId: string;
  readonly dueAt: string;
  readonly work: StoreWork;
};

/** Adds a task; an existing task with this ID does not change. */
export async function addStoreTask({ docs }: Needs, id: string, o: NewStoreTask): Promise<void> {
  await createRecord(docs, storeTaskCollection.name, id, { ...o, attempts: 0 });
}

/** Removes the task, unless it is rewritten at the same time. */
export async function finishStoreTask({ docs }: Needs, { id }: Pick<StoreTask, 'id'>): Promise<void> {
  await removeRecord(docs, storeTaskCollection.name, id);
}

/** Does nothing when another process has moved the task since. */
export async function postponeStoreTask({ docs }: Needs, task: StoreTask, dueAt: string, next = task.work) {
  const { projectId, appId, attempts } = task;
  const doc = { projectId, appId, dueAt, attempts: attempts + 1, work: next };
  await replaceRecord(docs, storeTaskCollection.name, task, doc);
}

const PAGE = 500;

/** Yields all due tasks, oldest first, in pages. */
export async function* dueStoreTasks({ docs, runtime }: Needs): AsyncGenerator<readonly StoreTask[]> {
  const due = { index: 'due', eq: [], to: isoFromMs(runtime.now() + 1), limit: PAGE };
  const pages = scanPages(due, (scan) => docs.scan(storeTaskCollection.name, scan));
  for await (const rows of pages) yield rows.map(taskOf);
}

/** Makes all tasks of the app due now, after its credentials were registered or the app was deleted. */
export async function wakeStoreTasks(deps: Needs, appId: string): Promise<void> {
  const dueAt = isoFromMs(deps.runtime.now());
  const ofApp = { index: 'app', eq: [appId], limit: PAGE };
  for await (const rows of scanPages(ofApp, (scan) => deps.docs.scan(storeTaskCollection.name, scan))) {
    for (const task of rows.map(taskOf)) if (task.dueAt > dueAt) await postponeStoreTask(deps, task, dueAt);
  }
}

function taskOf({ id, guard, doc }: Row): StoreTask {
  return { ...taskDoc.parse(doc), id, guard };
}
