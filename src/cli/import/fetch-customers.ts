// File of the customers of a RevenueCat project, read from its API, as lines of facts. The API's list is not to be relied upon, so that it is
// read twice, and IDs that are known otherwise are looked up one by one. A run that is interrupted reads nobody again who is in the file.
import { existsSync, renameSync } from 'node:fs';
import pLimit from 'p-limit';
import type { Config } from '../../adapters/configuration/config.js';
import { listProducts } from '../../adapters/revenuecat/configuration.js';
import {
  isName,
  readCustomerFacts,
  type FactLine,
  type ReadProject,
} from '../../adapters/revenuecat/customer-facts.js';
import { pagesOfCustomers, readCustomer, type V2Customer } from '../../adapters/revenuecat/customers.js';
import { openRevenueCat, type RevenueCat, RevenueCatRefusal } from '../../adapters/revenuecat/requests.js';
import type { Runtime } from '../../adapters/runtime.js';
import { expectPlaceForFile } from '../support/arguments.js';
import { requireProjectId } from '../support/long-work.js';
import { Failure } from '../support/outcome.js';
import { openCustomerFile, type CustomerFile } from './customer-file.js';

/** Customers at a time: responses take longer than the pace between two requests. */
const PARALLEL = 4;
/** IDs that are looked up between two calls of `progress`. */
const IDS_PER_STEP = 100;
/** Entries after a whole round of nothing but repeated customers, after which a reading of the list is given up. */
const ENTRIES_PER_ROUND = 500;

export type FetchTools = {
  readonly config: Config;
  readonly runtime: Runtime;
  readonly signal: AbortSignal;
  /** App user IDs of customers whom the list may leave out. */
  readonly ids?: readonly string[];
  /** Called with the number of customers in the file after each page; the API gives no total. */
  readonly progress: (customers: number) => void;
};

/** Counts of a reading, and the faults of RevenueCat's list. */
export type FetchReport = {
  /** Customers in the file. */
  readonly customers: number;
  /** Customers whom an interrupted run had read. */
  readonly before: number;
  readonly listed: number;
  readonly lookedUp: number;
  /** Customers whom only the second reading of the list had, and those who were active since they were read. */
  readonly caughtUp: { readonly found: number; readonly changed: number };
  /** Entries of both readings about customers who had been listed already. */
  readonly repeated: number;
  /** True if a reading was given up, because it only repeated customers. */
  readonly isEndless: boolean;
  readonly unknownIds: readonly string[];
  /** Names that no customer may have here. */
  readonly refusedNames: readonly string[];
};

/**
 * Reads all customers into the file. A complete file is left as it is, and null returned: the run that a dry run confirms has to read the
 * same. Throws {@link Failure} and `Unavailable`, after which the next call continues.
 */
export async function fetchCustomers(path: string, tools: FetchTools): Promise<FetchReport | null> {
  if (existsSync(path)) return null;
  expectPlaceForFile({ name: 'FILE', path, cure: 'give the path of a new file' });
  const revenueCat = openRevenueCat(tools.config, tools.runtime);
  if (!revenueCat)
    throw new Failure('REVENUECAT_API_KEY is not set; set it to a secret key of API v2 of the RevenueCat project');
  const unfinished = `${path}.part`;
  try {
    const report = await addCustomers(unfinished, revenueCat, tools);
    renameSync(unfinished, path);
    return report;
  } catch (err) {
    throw err instanceof RevenueCatRefusal ? new Failure(err.message) : err;
  } finally {
    await revenueCat.close();
  }
}

async function addCustomers(path: string, revenueCat: RevenueCat, tools: FetchTools): Promise<FetchReport> {
  const { requests } = revenueCat;
  const { signal, ids = [] } = tools;
  const projectId = requireProjectId(revenueCat);
  const products = await listProducts(requests, projectId, signal);
  const project = { requests, projectId, productIds: new Map(products.map((one) => [one.id, one.store_identifier])) };
  const file = await openCustomerFile(path);
  const reading = createReading(project, file, tools);
  try {
    const before = file.count();
    const first = await reading.readList(({ id }) => file.seenAt(id) === undefined);
    const listed = file.count() - before;
    const unknownIds = await reading.lookUp(ids);
    const lookedUp = file.count() - before - listed;
    const second = await reading.readList(({ id, last_seen_at: at }) => (at ?? 0) > (file.seenAt(id) ?? -1));
    const found = file.count() - before - listed - lookedUp;
    return {
      ...{ customers: file.count(), before, listed, lookedUp, unknownIds },
      caughtUp: { found, changed: second.read - found },
      repeated: first.repeated + second.repeated,
      isEndless: first.isEndless || second.isEndless,
      refusedNames: reading.refusedNames(),
    };
  } finally {
    reading.stop();
    file.close();
  }
}

function createReading(project: ReadProject, file: CustomerFile, { signal, progress }: FetchTools) {
  const { requests, projectId } = project;
  const limit = pLimit(PARALLEL);
  const refused = new Set<string>();
  const isAllowed = (name: string) => {
    if (!isName(name)) refused.add(name);
    return isName(name);
  };
  /** Returns the number of customers whose facts were read. */
  const add = async (customers: readonly V2Customer[]): Promise<number> => {
    const facts = customers
      .filter(({ id }) => isAllowed(id))
      .map((one) => limit(() => readUnlessDeleted(project, one, signal)));
    const read = (await Promise.all(facts)).filter((lines) => lines.length > 0);
    for (const lines of read) file.add(lines);
    progress(file.count());
    return read.length;
  };
  return {
    /** Reads the list from its beginning, and the facts of the customers that are wanted. */
    readList: async (isWanted: (customer: V2Customer) => boolean) => {
      const readIds = new Set<string>();
      let [read, repeated, circling] = [0, 0, 0];
      for await (const page of pagesOfCustomers(requests, projectId, signal)) {
        const unseen = page.filter(({ id }) => !readIds.has(id) && readIds.add(id));
        repeated += page.length - unseen.length;
        circling = unseen.length > 0 ? 0 : circling + Math.max(page.length, 1);
        if (circling > readIds.size + ENTRIES_PER_ROUND) return { read, repeated, isEndless: true };
        read += await add(unseen.filter(isWanted));
      }
      return { read, repeated, isEndless: false };
    },
    /** Looks up IDs that are no name of a customer in the file. Returns those that RevenueCat does not know. */
    lookUp: async (ids: readonly string[]): Promise<readonly string[]> => {
      const unknown: string[] = [];
      const find = async (customerId: string) => {
        const found = await readCustomer(requests, { projectId, customerId }, signal);
        if (!found) unknown.push(customerId);
        return found;
      };
      for (let at = 0; at < ids.length; at += IDS_PER_STEP) {
        const missing = ids.slice(at, at + IDS_PER_STEP).filter((id) => file.seenAt(id) === undefined && isAllowed(id));
        if (missing.length === 0) continue;
        const found = await Promise.all(missing.map((id) => limit(() => find(id))));
        // Two names may be those of one customer.
        const customers = new Map(found.flatMap((one) => (one ? [[one.id, one] as const] : [])));
        await add([...customers.values()].filter(({ id }) => file.seenAt(id) === undefined));
      }
      return unknown;
    },
    refusedNames: () => [...refused],
    stop: () => limit.clearQueue(),
  };
}

/** Returns no lines for a customer who was deleted after the list was read. */
async function readUnlessDeleted(
  project: ReadProject,
  customer: V2Customer,
  signal: AbortSignal,
): Promise<readonly FactLine[]> {
  try {
    return await readCustomerFacts(project, customer, signal);
  } catch (err) {
    if (err instanceof RevenueCatRefusal && err.status === 404) return [];
    throw err;
  }
}

const count = (n: number) => n.toLocaleString('en-US');
/** Names that a report shows of each kind. */
const MAX_SHOWN = 20;

/** Describes what was read, for a terminal. */
export function describeFetch(report: FetchReport): readonly string[] {
  const { customers, before, listed, lookedUp, caughtUp, repeated, isEndless, unknownIds, refusedNames } = report;
  const started = before > 0 ? `${count(before)} before the interruption, ` : '';
  return [
    `${count(customers)} customers in the file: ${started}${count(listed)} of the list, ${count(lookedUp)} by their ids, ` +
      `${count(caughtUp.found)} when the list was read again; ${count(caughtUp.changed)} were active meanwhile and read again`,
    ...(repeated > 0 ? [`${count(repeated)} entries of the list repeated a customer`] : []),
    ...(isEndless
      ? ['the list did not end and only repeated customers; give --ids to read those whom it left out']
      : []),
    ...describeNames('ids that RevenueCat does not know', unknownIds),
    ...describeNames('names that are not allowed here, whose customers are left out', refusedNames),
  ];
}

function describeNames(what: string, names: readonly string[]): readonly string[] {
  if (names.length === 0) return [];
  const examples = names
    .slice(0, MAX_SHOWN)
    .map((name) => JSON.stringify(name))
    .join(', ');
  return [`${count(names.length)} × ${what}: ${examples}${names.length > MAX_SHOWN ? ', …' : ''}`];
}
