// Orders that only a report has are looked up at the store by its tasks, and what came of each is recorded.
import { nextLookUps, lookUpsDecider, type LookUpsCommand, type MissingOrder } from '../../domain/books/look-ups.js';
import type { Actor } from '../../domain/envelope.js';
import { streams } from '../../domain/streams.js';
import { commandIds } from '../handling/command-ids.js';
import type { Deps } from '../handling/deps.js';
import { load, runCommand } from '../handling/run-command.js';
import { findStoreApp } from '../projects/apps.js';
import type { StoreDeps } from '../stores/store-integration.js';

/** Adds tasks for the orders that are to be looked up next. Safe to repeat. */
export async function scheduleLookUps(
  deps: StoreDeps,
  o: { readonly projectId: string; readonly month: string; readonly orders: readonly MissingOrder[] },
): Promise<void> {
  const { projectId, month, orders } = o;
  if (orders.length === 0) return;
  for (const reportId of new Set(orders.map((order) => order.reportId))) {
    const { state } = await load(deps.log, streams.bookLookUps(projectId, reportId), lookUpsDecider);
    const ofReport = orders.filter((order) => order.reportId === reportId);
    const due = nextLookUps(ofReport, state);
    for (const appId of new Set(due.map((order) => order.appId))) {
      const app = await findStoreApp(deps, projectId, appId);
      const schedule = app && deps.stores.of(app.store).scheduleOrderLookUps;
      if (!schedule) continue;
      const ofApp = due.filter((order) => order.appId === appId);
      await schedule(deps, { projectId, appId, month, reportId, orders: ofApp });
    }
  }
}

type LookUpResults = Omit<LookUpsCommand, 'kind'>;

/** Safe to repeat: what is known already is not recorded again. */
export async function recordLookUps(deps: Deps, actor: Actor, projectId: string, found: LookUpResults): Promise<void> {
  const { reportId, results } = found;
  const stream = streams.bookLookUps(projectId, reportId);
  const digest = deps.hash('look-ups', ...results.flatMap(({ orderId, outcome }) => [orderId, outcome]));
  // A later outcome may equal an earlier one, with another between them.
  const { revision } = await load(deps.log, stream, lookUpsDecider);
  const commandId = commandIds.ordersLookedUp(reportId, `${digest}|${revision ?? ''}`);
  const ctx = { commandId, correlationId: streams.books(projectId, reportId), actor, projectId };
  const command = { kind: 'recordLookUps' as const, ...found };
  await deps.mutex.run(stream, () => runCommand(deps, stream, lookUpsDecider, [command], ctx));
}
