// File of customers as lines of facts, which is complete up to any of its customers: a run that was interrupted continues it.
import { closeSync, createReadStream, existsSync, openSync, statSync, truncateSync, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { FactLine } from '../../adapters/revenuecat/customer-facts.js';
import { msFromIso } from '../../domain/time.js';

type CustomerLine = Extract<FactLine, { readonly type: 'customer' }>;

export type CustomerFile = {
  /** Returns the number of customers. */
  count(): number;
  /** Returns when the customer of that name was last seen, in ms, by the file; 0: never; undefined: not in the file. */
  seenAt(name: string): number | undefined;
  /** Appends all lines of a customer, of which that of the customer is the last. */
  add(lines: readonly FactLine[]): void;
  close(): void;
};

/** Opens the file, or creates it for its owner only. Lines after the last complete customer are cut off. */
export async function openCustomerFile(path: string): Promise<CustomerFile> {
  const lastSeenTimes = new Map<string, number>();
  const customers = new Set<string>();
  const addCustomer = ({ appUserId, aliases = [], lastSeenAt }: CustomerLine) => {
    customers.add(appUserId);
    for (const name of [appUserId, ...aliases]) lastSeenTimes.set(name, lastSeenAt ? msFromIso(lastSeenAt) : 0);
  };
  const bytes = await readCustomers(path, addCustomer);
  const file = openSync(path, 'a', 0o600);
  truncateSync(path, bytes);
  return {
    count: () => customers.size,
    seenAt: (name) => lastSeenTimes.get(name),
    add: (lines) => {
      writeSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
      for (const line of lines) if (line.type === 'customer') addCustomer(line);
    },
    close: () => closeSync(file),
  };
}

/** Returns where the lines of the last customer end. */
async function readCustomers(path: string, addCustomer: (line: CustomerLine) => void): Promise<number> {
  if (!existsSync(path)) return 0;
  const { size } = statSync(path);
  let [bytes, complete] = [0, 0];
  for await (const line of createInterface({ input: createReadStream(path) })) {
    bytes += Buffer.byteLength(line) + 1;
    if (bytes > size || !line.startsWith(CUSTOMER)) continue;
    addCustomer(JSON.parse(line));
    complete = bytes;
  }
  return complete;
}

const CUSTOMER = '{"type":"customer"';
