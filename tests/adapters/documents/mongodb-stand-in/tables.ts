// Data of the fake MongoDB server, and the part of MongoDB's query language that the adapter uses.
import { compareScalars } from '../../../../src/adapters/documents/index-keys.js';
import type { Scalar } from '../../../../src/adapters/documents/port.js';
import type { Command } from './wire.js';

export type Row = { readonly _id: string; readonly [field: string]: unknown };
export type Failure = { readonly index: number; readonly code: number; readonly errmsg: string };
export type Table = { readonly rows: Map<string, Row>; readonly indexes: Map<string, Command> };

const DUPLICATE_KEY = 11_000;

export function insertAll({ rows }: Table, documents: readonly Row[]): { n: number; failures: Failure[] } {
  const failures: Failure[] = [];
  for (const [index, row] of documents.entries()) {
    if (rows.has(row._id)) failures.push({ index, code: DUPLICATE_KEY, errmsg: `E11000 duplicate key ${row._id}` });
    else rows.set(row._id, row);
  }
  return { n: documents.length - failures.length, failures };
}

type Update = { readonly q: Command; readonly u: Command };

export function updateAll({ rows }: Table, updates: readonly Update[]): number {
  let n = 0;
  for (const { q, u } of updates) {
    const found = [...rows.values()].find((row) => matches(row, q));
    if (!found) continue;
    n++;
    const set = u['$set'] as Command | undefined;
    rows.set(found._id, set ? withFields(found, set) : { ...u, _id: found._id });
  }
  return n;
}

export function findAll({ rows }: Table, { filter, sort, limit, projection }: Command): Row[] {
  const wanted = (filter ?? {}) as Command;
  const found = [...rows.values()].filter((row) => matches(row, wanted));
  const keys = Object.entries((sort ?? {}) as Record<string, number>);
  found.sort((a, b) => {
    for (const [key, sign] of keys) {
      const difference = compareScalars(valueAt(a, key) as Scalar, valueAt(b, key) as Scalar);
      if (difference !== 0) return sign * difference;
    }
    return 0;
  });
  const hidden = Object.entries((projection ?? {}) as Record<string, number>).filter(([, shown]) => shown === 0);
  const shown = found.map((row) => {
    const copy: Record<string, unknown> = { ...row };
    for (const [field] of hidden) delete copy[field];
    return copy as Row;
  });
  return typeof limit === 'number' && limit > 0 ? shown.slice(0, limit) : shown;
}

function matches(row: Row, filter: Command): boolean {
  return Object.entries(filter).every(([key, condition]) => {
    if (key === '$and') return (condition as Command[]).every((one) => matches(row, one));
    if (key === '$or') return (condition as Command[]).some((one) => matches(row, one));
    const value = valueAt(row, key);
    if (typeof condition !== 'object' || condition === null) return value === condition;
    return Object.entries(condition).every(([operator, operand]) => meets(operator, value, operand));
  });
}

function meets(operator: string, value: unknown, operand: unknown): boolean {
  if (operator === '$eq') return value === operand;
  if (operator === '$ne') return (value ?? null) !== operand;
  if (operator === '$in') return (operand as unknown[]).includes(value);
  if (operator === '$exists') return (value !== undefined) === operand;
  // A range matches only values of the bound's type, as on the server.
  if (typeof value !== typeof operand) return false;
  const difference = compareScalars(value as Scalar, operand as Scalar);
  if (operator === '$gt') return difference > 0;
  if (operator === '$gte') return difference >= 0;
  if (operator === '$lt') return difference < 0;
  if (operator === '$lte') return difference <= 0;
  throw new Error(`the stand-in does not know ${operator}`);
}

function valueAt(row: Command, path: string): unknown {
  return path.split('.').reduce<unknown>((at, field) => (at as Command | undefined)?.[field], row);
}

function withFields(row: Row, set: Command): Row {
  const changed: Record<string, unknown> = { ...row };
  for (const [path, value] of Object.entries(set)) {
    const [field = '', inner] = path.split('.');
    changed[field] = inner === undefined ? value : { ...(changed[field] as Command | undefined), [inner]: value };
  }
  return changed as Row;
}
