// Receipts presented by clients, for every store.
import { Rejection } from '../../domain/errors.js';
import type { Project } from '../../domain/project/state.js';
import { streams } from '../../domain/streams.js';
import type { Receipt, StoreDeps } from './store-integration.js';
import { processBacklogOfLine } from './inbox/inbox.js';

export function invalidReceipt(why: string): Rejection {
  return new Rejection('invalid', 'receipt-invalid', `Invalid receipt: ${why}`);
}

/** It has no form that a receipt of the store has. */
export function unreadableReceipt(why: string): Rejection {
  return new Rejection('invalid', 'receipt-unreadable', `Invalid receipt: ${why}`);
}

/** The receipt is the store's, and yet the store does not report what it names. */
export function unknownReceipt(why: string): Rejection {
  return new Rejection('invalid', 'receipt-unknown', `Invalid receipt: ${why}`);
}

/** The store signed a receipt without a purchase: the customer has none, or the store has not added the latest yet. */
export function emptyReceipt(): Rejection {
  return new Rejection('invalid', EMPTY_RECEIPT, 'Invalid receipt: it contains no purchase');
}

const EMPTY_RECEIPT = 'receipt-empty';

export function isEmptyReceipt(err: unknown): boolean {
  return err instanceof Rejection && err.code === EMPTY_RECEIPT;
}

/** Processes all acknowledged notifications of a line before a receipt for it is recorded. Throws {@link Rejection}. */
export async function prepareReceipt(
  deps: StoreDeps,
  { projectId, app }: Pick<Receipt, 'projectId' | 'app'>,
  line: string,
): Promise<Project> {
  const project = await deps.projects.get(streams.project(projectId));
  if (!project) throw new Rejection('missing', 'project-unknown', 'project not found');
  await processBacklogOfLine(deps, app.appId, line);
  return project;
}
