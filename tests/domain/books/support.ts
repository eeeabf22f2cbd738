// Reads texts of reports in tests, without the adapter of files.
import { parse } from 'csv-parse/sync';
import {
  isGroupLine,
  isOrderLine,
  type GroupLine,
  type OrderLine,
  type ReadReport,
  type ReportLine,
} from '../../../src/domain/books/lines.js';
import type { Steps } from '../../../src/domain/books/steps.js';
import { createRowReader } from '../../../src/domain/books/read-report.js';

/** Does all steps at once. */
export function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

export function readText(text: string): ReadReport & { readonly read: readonly ReportLine[] } {
  const read: ReportLine[] = [];
  const reader = createRowReader((line) => read.push(line));
  const isTabbed = text.split('\t').length > text.split(',').length;
  const rows = parse(text, {
    delimiter: isTabbed ? '\t' : ',',
    quote: isTabbed ? null : '"',
    relax_column_count: true,
    relax_quotes: !isTabbed,
  });
  for (const [i, cells] of rows.entries()) reader.add(i + 1, cells);
  return { ...reader.end(), read };
}

export function ordersOf(text: string): readonly OrderLine[] {
  return readText(text).read.filter(isOrderLine);
}

export function groupsOf(text: string): readonly GroupLine[] {
  return readText(text).read.filter(isGroupLine);
}
