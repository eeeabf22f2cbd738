// File of the results of a comparison, one JSON line each, from which an interrupted run continues. A torn line counts as not compared.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { z } from 'zod';
import { parseJson } from '../../domain/values/json.js';
import { Failure } from '../support/outcome.js';

export type ResultFile<T> = {
  /** Results of earlier runs, then those of this one. */
  readonly results: T[];
  /** Adds a result, which the file contains when this returns. */
  add(result: T): void;
};

/**
 * Opens the file, or creates it. `terms` describe the comparison: a file of another comparison is refused. Without a path, results are
 * only in memory. Throws {@link Failure}.
 */
export function openResultFile<S extends z.ZodType>(
  path: string | undefined,
  terms: Readonly<Record<string, string>>,
  schema: S,
): ResultFile<z.output<S>> {
  const results: z.output<S>[] = [];
  if (path === undefined) return { results, add: (result) => void results.push(result) };
  const head = JSON.stringify({ comparison: terms });
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const [first = '', ...lines] = text.split('\n');
  if (text === '') writeFileSync(path, `${head}\n`, { mode: 0o600 });
  else if (first !== head) {
    throw new Failure(`--progress ${path}: the file belongs to another comparison; give the path of a new file`);
  } else if (!text.endsWith('\n')) appendFileSync(path, '\n');
  for (const line of lines) {
    const read = schema.safeParse(parseJson(line));
    if (read.success) results.push(read.data);
  }
  return {
    results,
    add: (result) => {
      appendFileSync(path, `${JSON.stringify(result)}\n`);
      results.push(result);
    },
  };
}
