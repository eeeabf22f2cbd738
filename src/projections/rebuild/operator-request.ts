// Schemas of the requests from the command line to the running service.
import { z } from 'zod';
import { importOptions } from '../../domain/imports/context.js';
import { foreignCatalogue } from '../../domain/catalog/foreign-catalogue.js';
import { REPLAY_NAME, whatIfSchema } from '../../domain/charts/what-if.js';
import { builtFileSchema } from './adopt-build.js';

const ratesRequest = z.strictObject({
  kind: z.literal('rates'),
  importId: z.string(),
  days: z.array(z.strictObject({ day: z.iso.date(), rates: z.record(z.string(), z.string()) })),
});
const eraseRequest = z.strictObject({
  kind: z.literal('erase'),
  requestId: z.string(),
  projectId: z.string(),
  appUserId: z.string(),
});
const adoptRequest = z.strictObject({ kind: z.literal('adopt'), built: builtFileSchema });
const resetPasswordRequest = z.strictObject({
  kind: z.literal('reset-password'),
  emailKey: z.string(),
  hash: z.string(),
  commandId: z.string(),
});
const rewrapRequest = z.strictObject({ kind: z.literal('rewrap') });
/** `named` null: all parked items. */
const retryRequest = z.strictObject({ kind: z.literal('retry'), named: z.string().nullable() });
/** `replay` null: deletes the replay of that name. `projectId` null: all projects. */
const replayRequest = z.strictObject({
  kind: z.literal('replay'),
  projectId: z.string().nullable(),
  name: z.string().regex(REPLAY_NAME),
  replay: z.strictObject({ until: z.iso.datetime({ precision: 3 }).nullable(), whatIf: whatIfSchema }).nullable(),
});
const healthRequest = z.strictObject({ kind: z.literal('health') });
const reprocessRequest = z.strictObject({
  kind: z.literal('reprocess'),
  since: z.iso.datetime().nullable(),
  dryRun: z.boolean(),
});
/** Import of files on this machine; the record that it creates shows its progress. */
const importRequest = z.strictObject({
  kind: z.literal('import'),
  request: z.strictObject({
    importId: z.string(),
    projectId: z.string(),
    paths: z.array(z.string()),
    isUploaded: z.literal(false),
    options: importOptions,
    confirmed: z.string().nullable(),
  }),
});
/** `confirm` null: a dry run. */
const catalogueRequest = z.strictObject({
  kind: z.literal('catalogue'),
  projectId: z.string(),
  catalogue: foreignCatalogue,
  confirm: z.string().nullable(),
});
const verificationRequest = z.strictObject({ kind: z.literal('verify-import'), projectId: z.string() });
const pastNotificationsRequest = z.strictObject({ kind: z.literal('past-notifications'), projectId: z.string() });
/** Financial report of a store in a file on this machine. */
const addReportRequest = z.strictObject({
  kind: z.literal('add-report'),
  requestId: z.string(),
  projectId: z.string(),
  path: z.string(),
  account: z.string().nullable(),
});
export const operatorRequest = z.discriminatedUnion('kind', [
  ratesRequest,
  eraseRequest,
  adoptRequest,
  resetPasswordRequest,
  rewrapRequest,
  retryRequest,
  healthRequest,
  reprocessRequest,
  replayRequest,
  importRequest,
  catalogueRequest,
  pastNotificationsRequest,
  verificationRequest,
  addReportRequest,
]);
export type OperatorRequest = z.output<typeof operatorRequest>;
