// Orders and groups that only a report has are looked up at the store by its tasks, and what came of each is recorded.
import {
  nextLookUps,
  lookUpsDecider,
  type LookUpsCommand,
  type MissingGroup,
  type MissingOrder,
  type SuspectedGroup,
} from '../../domain/books/look-ups.js';
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

/** Groups of one report that are looked up at a time. */
const MAX_GROUPS = 200;

/** Returns the first of the groups, with recorded purchases that they may be of. */
export type FindPurchases = (groups: readonly MissingGroup[]) => Promise<readonly SuspectedGroup[]>;

/** Adds tasks for the groups that are to be looked up next. Safe to repeat. */
export async function scheduleGroupLookUps(
  deps: StoreDeps,
  o: {
    readonly projectId: string;
    readonly month: string;
    readonly groups: readonly MissingGroup[];
    readonly findPurchases: FindPurchases;
  },
): Promise<void> {
  const { projectId, month, groups, findPurchases } = o;
  for (const reportId of new Set(groups.map((group) => group.reportId))) {
    const ofReport = groups.filter((group) => group.reportId === reportId);
    const { state } = await load(deps.log, streams.bookLookUps(projectId, reportId), lookUpsDecider);
    const due = nextLookUps(ofReport, state).slice(0, MAX_GROUPS);
    for (const appId of new Set(due.map((group) => group.appId))) {
      const app = await findStoreApp(deps, projectId, appId);
      const schedule = app && deps.stores.of(app.store).scheduleHistoryLookUps;
      if (!schedule) continue;
      const found = await findPurchases(due.filter((group) => group.appId === appId));
      const unknown = found.filter(({ purchases }) => purchases.length === 0);
      if (unknown.length > 0) {
        const results = unknown.map(({ orderId }) => ({ orderId, outcome: 'nobody_known' as const }));
        await recordLookUps(deps, { kind: 'store', id: app.store }, projectId, { month, reportId, results });
      }
      const known = found.filter(({ purchases }) => purchases.length > 0);
      if (known.length === 0) continue;
      const purchases = new Map(
        known
          .flatMap((group) => group.purchases)
          .map((one) => [`${one.originalTransactionId}|${one.transactionId}`, one]),
      );
      const groupIds = known.map(({ orderId }) => orderId);
      await schedule(deps, { projectId, appId, month, reportId, groupIds, purchases: [...purchases.values()] });
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
