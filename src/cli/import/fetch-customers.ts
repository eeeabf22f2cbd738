// File of the customers of a RevenueCat project, read from its API page by page, as lines of facts. A run that is interrupted continues
// after the last customer in the file.
import {
  closeSync,
  createReadStream,
  existsSync,
  openSync,
  renameSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { createInterface } from 'node:readline';
import pLimit from 'p-limit';
import type { Config } from '../../adapters/configuration/config.js';
import { listProducts } from '../../adapters/revenuecat/configuration.js';
import { readCustomerFacts } from '../../adapters/revenuecat/customer-facts.js';
import { pagesOfCustomers } from '../../adapters/revenuecat/customers.js';
import { openRevenueCat, type RevenueCat, RevenueCatRefusal } from '../../adapters/revenuecat/requests.js';
import type { Runtime } from '../../adapters/runtime.js';
import { requireProjectId } from '../support/long-work.js';
import { Failure } from '../support/outcome.js';
import { expectPlaceForFile } from '../support/arguments.js';

/** Customers at a time: responses take longer than the pace between two requests. */
const PARALLEL = 4;

export type FetchTools = {
  readonly config: Config;
  readonly runtime: Runtime;
  readonly signal: AbortSignal;
  /** Called with the number of customers in the file after each page; the API gives no total. */
  readonly progress: (customers: number) => void;
};

/**
 * Reads all customers into the file. A complete file is left as it is: the run that a dry run confirms has to read the same. Throws
 * {@link Failure} and `Unavailable`, after which the next call continues.
 */
export async function fetchCustomers(path: string, tools: FetchTools): Promise<void> {
  if (existsSync(path)) return;
  expectPlaceForFile({ name: 'FILE', path, cure: 'give the path of a new file' });
  const revenueCat = openRevenueCat(tools.config, tools.runtime);
  if (!revenueCat)
    throw new Failure('REVENUECAT_API_KEY is not set; set it to a secret key of API v2 of the RevenueCat project');
  const unfinished = `${path}.part`;
  try {
    await appendCustomers(unfinished, revenueCat, tools);
    renameSync(unfinished, path);
  } catch (err) {
    throw err instanceof RevenueCatRefusal ? new Failure(err.message) : err;
  } finally {
    await revenueCat.close();
  }
}

async function appendCustomers(path: string, revenueCat: RevenueCat, { signal, progress }: FetchTools): Promise<void> {
  const { requests } = revenueCat;
  const projectId = requireProjectId(revenueCat);
  const products = await listProducts(requests, projectId, signal);
  const project = { requests, projectId, productIds: new Map(products.map((one) => [one.id, one.store_identifier])) };
  const { after, customers, bytes } = await lastCustomerIn(path);
  const file = openSync(path, 'a', 0o600);
  const limit = pLimit(PARALLEL);
  let done = customers;
  try {
    truncateSync(path, bytes);
    for await (const page of pagesOfCustomers(requests, { projectId, after }, signal)) {
      const facts = page.map((customer) => limit(() => readCustomerFacts(project, customer, signal)));
      for (const lines of await Promise.all(facts)) {
        if (lines.length === 0) continue;
        writeSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
        done++;
      }
      progress(done);
    }
  } finally {
    limit.clearQueue();
    closeSync(file);
  }
}

type Position = { readonly after: string | null; readonly customers: number; readonly bytes: number };

/** Returns the last customer whose lines are complete, and where they end: the line of a customer is the last of its lines. */
async function lastCustomerIn(path: string): Promise<Position> {
  let reached: Position = { after: null, customers: 0, bytes: 0 };
  if (!existsSync(path)) return reached;
  const { size } = statSync(path);
  let bytes = 0;
  for await (const line of createInterface({ input: createReadStream(path) })) {
    bytes += Buffer.byteLength(line) + 1;
    if (bytes > size || !line.startsWith(CUSTOMER)) continue;
    const { appUserId } = JSON.parse(line) as { appUserId: string };
    reached = { after: appUserId, customers: reached.customers + 1, bytes };
  }
  return reached;
}

const CUSTOMER = '{"type":"customer"';
