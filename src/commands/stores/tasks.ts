// What is still to be asked of a store, or told it: notifications whose purchase could not be read yet, purchases to be acknowledged,
// sweeps for what was given back. Records with a due time, so that a store that is away holds up nobody and nothing is forgotten.
import { z } from 'zod';
import type { Row } from '../../adapters/documents/port.js';
import { isoFromMs } from '../../domain/time.js';
import type { Deps } from '../handling/deps.js';

export const storeTaskCollection = {
  name: 'store_tasks',
  indexes: [
    { name: 'due', fields: ['dueAt'] },
    { name: 'app', fields: ['appId'] },
  ],
};

/** What its store's integration knows how to do; a notification's is done by all alike. */
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
/** What is to be done next under the same name, and in how many ms. */
export type NextWork<W extends StoreWork = StoreWork> = { readonly work: W; readonly inMs: number };
/** `next` null: it is done. `warning`: why nothing came of it. */
export type TaskDone = {
  readonly next: NextWork | null;
  readonly warning?: { readonly reason: string; readonly message: string };
};
export type StoreTask = z.output<typeof taskDoc> & { readonly id: string; readonly guard: string };

/** Sorts after every instant: waits until somebody registers credentials. */
export const WHEN_CREDENTIALS_COME = '9999-12-31T00:00:00.000Z';

type Needs = Pick<Deps, 'docs' | 'runtime'>;
type New = { readonly projectId: string; readonly appId: string; readonly dueAt: string; readonly work: StoreWork };

/** Written down once: a task that is there already stays as it is. */
export async function addStoreTask({ docs }: Needs, id: string, o: New): Promise<void> {
  const expect = (await docs.get(storeTaskCollection.name, [id])).get(id);
  if (expect?.doc) return;
  const guard = String(Number(expect?.guard ?? 0) + 1);
  const doc = { ...o, attempts: 0 };
  await docs.write([[{ c: storeTaskCollection.name, id, expect: expect?.guard ?? null, guard, doc }]]);
}

export async function finishStoreTask(deps: Needs, task: Pick<StoreTask, 'id'>): Promise<void> {
  const held = (await deps.docs.get(storeTaskCollection.name, [task.id])).get(task.id);
  if (!held?.doc) return;
  const guard = String(Number(held.guard) + 1);
  await deps.docs.write([[{ c: storeTaskCollection.name, id: task.id, expect: held.guard, guard, doc: null }]]);
}

/** Nothing when it was moved by somebody else meanwhile. */
export async function postponeStoreTask({ docs }: Needs, task: StoreTask, dueAt: string, next = task.work) {
  const { id, guard: expect, projectId, appId, attempts } = task;
  const doc = { projectId, appId, dueAt, attempts: attempts + 1, work: next };
  const guard = String(Number(expect) + 1);
  await docs.write([[{ c: storeTaskCollection.name, id, expect, guard, doc }]]);
}

const PAGE = 500;

/** All that are due, oldest first, in pages. */
export async function* dueStoreTasks({ docs, runtime }: Needs): AsyncGenerator<readonly StoreTask[]> {
  const to = isoFromMs(runtime.now() + 1);
  for (let after: string | undefined, more = true; more;) {
    const scan = { index: 'due', eq: [], to, limit: PAGE, ...(after !== undefined && { after }) };
    const page = await docs.scan(storeTaskCollection.name, scan);
    yield page.rows.map(taskOf);
    after = page.next;
    more = after !== undefined;
  }
}

/** Credentials have come or the app has gone: everything of the app is tried at once. */
export async function wakeStoreTasks(deps: Needs, appId: string): Promise<void> {
  const dueAt = isoFromMs(deps.runtime.now());
  for (let after: string | undefined, more = true; more;) {
    const scan = { index: 'app', eq: [appId], limit: PAGE, ...(after !== undefined && { after }) };
    const page = await deps.docs.scan(storeTaskCollection.name, scan);
    for (const task of page.rows.map(taskOf)) if (task.dueAt > dueAt) await postponeStoreTask(deps, task, dueAt);
    after = page.next;
    more = after !== undefined;
  }
}

function taskOf({ id, guard, doc }: Row): StoreTask {
  return { ...taskDoc.parse(doc), id, guard };
}
