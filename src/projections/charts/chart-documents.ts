// Documents that charts are read from: the sums, and the customers that the sums of the current hour contain otherwise.
import { collectRows } from '../../adapters/documents/records.js';
import type { Doc, Scan } from '../../adapters/documents/port.js';
import type { SumDoc } from '../runtime/projection.js';
import type { ReadModels } from '../queries/read-models.js';
import { sumNames } from './sums/document-sums.js';
import {
  customerHistories,
  momentsFrom,
  type MomentDoc,
  type MomentKind,
  type CustomerHistoryDoc,
} from './customer-histories.js';

export type ChartDocuments = {
  byIds(customerIds: readonly string[]): Promise<readonly CustomerHistoryDoc[]>;
  /** Returns the sums of a scope with `from <= period < to`, in order. */
  sums(of: keyof typeof sumNames, scope: string, from: string, to: string): Promise<readonly SumDoc[]>;
  /** Returns the customers with such a moment at `from <= at < to` (UTC ms). */
  moments(projectId: string, kind: MomentKind, from: number, to: number): Promise<readonly string[]>;
  /** Returns the customers last seen at `from <= at < to` (UTC ms). */
  lastSeen(projectId: string, from: number, to: number): Promise<readonly string[]>;
};

const PAGE = 500;

export function chartDocuments(readModels: ReadModels): ChartDocuments {
  const all = async <T extends Doc>(name: string, scan: Omit<Scan, 'limit'>): Promise<T[]> => {
    const read = (page: Scan) => readModels.scanDerived<T>(customerHistories, name, page);
    return (await collectRows({ ...scan, limit: PAGE }, read)).map((r) => r.doc);
  };
  return {
    byIds: async (ids) => [...(await readModels.getMany(customerHistories, ids)).values()],
    sums: (of, scope, from, to) => all(sumNames[of], { index: 'scope', eq: [scope], from, to }),
    moments: async (projectId, kind, from, to) => {
      const [first, end] = [momentsFrom(projectId, kind, from), momentsFrom(projectId, kind, to)];
      const rows = await all<MomentDoc>('chart_moments', { index: 'id', eq: [], from: first, to: end });
      return [...new Set(rows.map((r) => r.customerId))];
    },
    lastSeen: async (projectId, from, to) => {
      const rows = await all<CustomerHistoryDoc>(customerHistories.name, { index: 'seen', eq: [projectId], from, to });
      return rows.map((r) => r.customerId);
    },
  };
}
