// Response schema of an import. A report names rows of files, transaction IDs and products, and no app user IDs: an erasure does not reach it.
import { z } from 'zod';
import { importOptions } from '../../domain/imports/context.js';
import { fileNamesOf, importStates, type ImportRecord } from '../../commands/imports/import-records.js';
import { fileKinds } from '../../commands/imports/read-files.js';
import { money, moneyAndPersonal, time } from '../bodies/response-schemas.js';

const counts = z.record(z.string(), z.int());
const file = z.strictObject({
  name: z.string(),
  kind: z.enum(fileKinds),
  rows: z.int(),
  ignoredColumns: z.array(z.string()),
  missing: z.array(z.strictObject({ column: z.string(), consequence: z.string() })),
});
const problem = z.strictObject({
  code: z.string(),
  costsAccess: z
    .boolean()
    .optional()
    .meta({ description: 'Customers may lack access that they had. These come first.' }),
  meaning: z.string(),
  wayOut: z.string(),
  count: z.int(),
  examples: moneyAndPersonal(z.array(z.strictObject({ file: z.string(), row: z.int(), detail: z.string() }))).meta({
    description: 'The first rows, at most 20.',
  }),
});
const unknownProduct = z.strictObject({ store: z.string(), storeProductId: z.string(), transactions: z.int() });
const report = z.strictObject({
  dryRun: z.boolean(),
  files: z.array(file),
  digest: z.string().meta({ description: 'Confirms exactly this dry run.' }),
  exportedAt: z.string().nullable().optional().meta({ description: 'Time up to which the files know renewals.' }),
  customers: z.int(),
  aliases: z.int(),
  grants: z.int(),
  purchaseLines: z.int(),
  activeSubscriptions: z.int(),
  transactions: counts.meta({ description: 'By store.' }),
  refunds: z.int(),
  events: counts.meta({ description: 'By type: events that were recorded, or for a dry run would be.' }),
  gross: money(
    z.array(
      z.strictObject({
        month: z.string(),
        currency: z.string(),
        amountMicros: z.number().meta({ description: 'In millionths of the currency.' }),
      }),
    ),
  ),
  firstPurchaseAt: z.string().nullable(),
  lastPurchaseAt: z.string().nullable(),
  unknownProducts: z.array(unknownProduct).meta({ description: 'Products that are not in the catalogue.' }),
  problems: z.array(problem),
});

const { appIds, ...choices } = importOptions.shape;

export const importResponse = z
  .strictObject({
    object: z.literal('import'),
    id: z.string(),
    createdAt: time,
    finishedAt: time.nullable().meta({ description: 'End of the last check or run.' }),
    state: z.enum(importStates).meta({
      description: '`waiting` and `running` change by themselves; `checked` waits for the confirmation of its digest.',
    }),
    isConfirmed: z.boolean().meta({ description: 'False for a dry run, which records nothing.' }),
    files: z.array(z.string()),
    options: z.strictObject({
      sandbox: choices.sandbox.unwrap(),
      usd: choices.usd.unwrap(),
      otherStores: choices.otherStores.unwrap(),
      appIds: appIds.unwrap(),
    }),
    progress: z
      .strictObject({ stage: z.enum(['reading', 'customers']), done: z.number(), total: z.number() })
      .nullable()
      .meta({ description: '`reading` counts bytes of the files, `customers` counts customers.' }),
    report: report.nullable(),
    problem: moneyAndPersonal(z.string().nullable()).meta({ description: 'Reason of the failure, with what to do.' }),
  })
  .meta({ id: 'Import' });

export function presentImport(record: ImportRecord): z.output<typeof importResponse> {
  const { importId, createdAt, finishedAt, state, confirmed, options, progress, report, problem } = record;
  const files = [...fileNamesOf(record)];
  const fields = { object: 'import' as const, id: importId, createdAt, finishedAt, state, files, progress, problem };
  const copy = report && (structuredClone(report) as z.output<typeof importResponse>['report']);
  return {
    ...fields,
    isConfirmed: confirmed !== null,
    options: { ...options, appIds: [...options.appIds] },
    report: copy,
  };
}
