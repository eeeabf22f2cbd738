// Report of an import as text: what was found, what would be recorded or was, and what needs attention.
import type { ImportReport } from '../../commands/imports/import-report.js';

const count = (n: number) => n.toLocaleString('en-US');

/** `command`: the command that runs the import, without the digest. */
export function describeReport(report: ImportReport, command: string): readonly string[] {
  const events = Object.values(report.events).reduce((sum, n) => sum + n, 0);
  return [
    ...report.files.flatMap(describeFile),
    '',
    `${count(report.customers)} customers with ${count(report.aliases)} other names, ${count(report.purchaseLines)} purchase lines, ` +
      `${count(report.activeSubscriptions)} active subscriptions, ${count(report.refunds)} refunds, ${count(report.grants)} grants`,
    ...Object.entries(report.transactions).map(([store, n]) => `${store}: ${count(n)} transactions`),
    ...(report.firstPurchaseAt ? [`from ${report.firstPurchaseAt} to ${report.lastPurchaseAt ?? ''}`] : []),
    ...grossByCurrency(report),
    '',
    `${count(events)} events ${report.dryRun ? 'would be recorded' : 'recorded'}`,
    ...Object.entries(report.events).map(([type, n]) => `  ${type}: ${count(n)}`),
    ...describeProblems(report),
    ...describeProducts(report),
    '',
    ...(report.dryRun
      ? ['Nothing was recorded. To import:', `  ${command} --confirm ${report.digest}`]
      : ['Imported. Facts are known here since now: ?asOf= before the import does not show them.']),
  ];
}

function describeFile({ name, kind, rows, missing, ignoredColumns }: ImportReport['files'][number]): readonly string[] {
  return [
    `${name}: ${kind}, ${count(rows)} rows`,
    ...missing.map(({ column, consequence }) => `  without ${column}: ${consequence}`),
    ...(ignoredColumns.length > 0 ? [`  not used: ${ignoredColumns.join(', ')}`] : []),
  ];
}

function grossByCurrency({ gross }: ImportReport): readonly string[] {
  const sums = new Map<string, number>();
  for (const { currency, amountMicros } of gross) sums.set(currency, (sums.get(currency) ?? 0) + amountMicros);
  return [...sums].map(([currency, micros]) => `gross ${currency}: ${(micros / 1_000_000).toFixed(2)}`);
}

function describeProblems({ problems }: ImportReport): readonly string[] {
  return problems.flatMap(({ code, meaning, wayOut, count: n, examples }) => [
    '',
    `${count(n)} × ${code}: ${meaning}. ${wayOut[0]?.toUpperCase() ?? ''}${wayOut.slice(1)}.`,
    ...examples.map(({ file, row, detail }) => `  ${file}, row ${row}${detail && `: ${detail}`}`),
  ]);
}

function describeProducts({ unknownProducts }: ImportReport): readonly string[] {
  if (unknownProducts.length === 0) return [];
  const lines = unknownProducts.map(({ store, storeProductId, transactions }) => {
    return `  ${store} ${storeProductId}: ${count(transactions)} transactions`;
  });
  return ['', 'Products that are not in the catalogue (POST /v1/projects/{id}/products adds one):', ...lines];
}
