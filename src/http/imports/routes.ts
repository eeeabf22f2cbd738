// Imports of a history from uploaded files: a dry run with its report, then the run of the confirmed digest.
import { z } from 'zod';
import { importOptions } from '../../domain/imports/context.js';
import { confirmImport } from '../../commands/imports/confirm-import.js';
import {
  addImportFile,
  createUploadedImport,
  expectExtensible,
  expectRoomForUpload,
  findImport,
  listImports,
} from '../../commands/imports/import-records.js';
import { HttpError } from '../bodies/errors.js';
import { orRefuseUpload } from '../bodies/uploads.js';
import { listBody } from '../bodies/paging.js';
import { id, projectParams } from '../bodies/request-schemas.js';
import { listOf } from '../bodies/response-schemas.js';
import { defineRoute, type Route } from '../dispatch/route.js';
import type { Services } from '../dispatch/services.js';
import { importResponse, presentImport } from './responses.js';

const MAX_LISTED = 100;

const importParams = z.object({ id, importId: id });
const fileName = z.string().min(1, 'must not be empty').max(255).meta({
  description: 'Name of the file in reports. The format follows from the content.',
});
const { sandbox, usd, otherStores } = importOptions.shape;
const uploadQuery = z.strictObject({
  fileName,
  sandbox: sandbox.meta({ description: '`keep` imports sandbox purchases as such.' }),
  usd: usd.meta({ description: '`keep` uses the US dollar values of the file, `ours` the rates of this service.' }),
  otherStores: otherStores.meta({
    description: '`grant` gives purchases of other stores their access until they end.',
  }),
  appId: z
    .string()
    .max(1000)
    .optional()
    .meta({ description: 'Apps to choose if the project has several of a store, separated by commas.' }),
});

type Upload = { readonly importId: string; readonly fileName: string; readonly file: AsyncIterable<Uint8Array> };

/** Stores an uploaded file. Throws {@link HttpError} 400, 409 or 413 with what to do. */
function storeUpload({ importUploads }: Services, { importId, fileName, file }: Upload): Promise<string> {
  return orRefuseUpload(importUploads.store(importId, fileName, file));
}

/** Returns the result of `work`; undoes what was done for it if it fails. */
async function orUndo<T>(work: Promise<T>, undo: () => Promise<unknown>): Promise<T> {
  try {
    return await work;
  } catch (err) {
    await undo();
    throw err;
  }
}

export const importRoutes: readonly Route[] = [
  defineRoute({
    method: 'post',
    path: '/v1/projects/:id/imports',
    access: 'project',
    permission: 'configure',
    summary: 'Upload a file to import',
    description:
      'The body is a transaction or customer export of RevenueCat (CSV or Parquet), or lines of JSON; CSV and lines may be compressed with gzip. ' +
      'The file is checked, and nothing is recorded before its report is confirmed. It is deleted after the import, or a day later.',
    params: projectParams,
    query: uploadQuery,
    takesFile: true,
    response: importResponse,
    statuses: [202],
    handle: async ({ scope: { projectId }, query, file }, services) => {
      const { deps, runtime, importUploads } = services;
      const { fileName, appId = '', ...choices } = query;
      const upload = importUploads.begin(projectId);
      try {
        await expectRoomForUpload(deps, projectId, upload.count - 1);
        const importId = runtime.newId('imp');
        const path = await storeUpload(services, { importId, fileName, file });
        const appIds = appId.split(',').filter((one) => one !== '');
        const options = { ...choices, appIds };
        const request = { importId, projectId, paths: [path], isUploaded: true, options, confirmed: null };
        const discard = () => importUploads.discard(importId);
        return { status: 202, body: presentImport(await orUndo(createUploadedImport(deps, request), discard)) };
      } finally {
        upload.end();
      }
    },
  }),
  defineRoute({
    method: 'get',
    path: '/v1/projects/:id/imports',
    access: 'project',
    permission: 'configure',
    summary: 'List imports; the newest first',
    params: projectParams,
    response: listOf(importResponse),
    handle: async ({ scope: { projectId } }, { deps }) => {
      const items = (await listImports(deps, projectId)).slice(0, MAX_LISTED).map(presentImport);
      return { body: listBody(`/v1/projects/${projectId}/imports`, items, { lastId: null, limit: MAX_LISTED }) };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/v1/projects/:id/imports/:importId',
    access: 'project',
    permission: 'configure',
    summary: 'Get an import',
    params: importParams,
    response: importResponse,
    handle: async ({ params: { importId }, scope: { projectId } }, { deps }) => ({
      body: presentImport(await findImport(deps, { importId, projectId })),
    }),
  }),
  defineRoute({
    method: 'post',
    path: '/v1/projects/:id/imports/:importId/files',
    access: 'project',
    permission: 'configure',
    summary: 'Add a file to an import',
    description:
      'Adds a file to an import that was not confirmed, for example the customers of its transactions. All files are checked together; a check that has begun ends, so send them one after another without waiting for its report.',
    params: importParams,
    query: z.strictObject({ fileName }),
    takesFile: true,
    response: importResponse,
    statuses: [202],
    handle: async ({ params: { importId }, scope: { projectId }, query, file }, services) => {
      const { deps, importUploads } = services;
      const key = { importId, projectId };
      expectExtensible(await findImport(deps, key));
      if (!importUploads.isHere(importId))
        throw new HttpError(409, 'another process has the first file; import all files with subledger import');
      const upload = importUploads.begin(importId);
      try {
        if (upload.count > 1) throw new HttpError(409, 'another file of the import arrives; send this one afterwards');
        const path = await storeUpload(services, { importId, fileName: query.fileName, file });
        const discard = () => importUploads.discardPath(path);
        return { status: 202, body: presentImport(await orUndo(addImportFile(deps, key, path), discard)) };
      } finally {
        upload.end();
      }
    },
  }),
  defineRoute({
    method: 'post',
    path: '/v1/projects/:id/imports/:importId/confirm',
    access: 'project',
    permission: 'configure',
    summary: 'Confirm an import',
    description:
      'Records what the report of the dry run shows. `digest` is that of the report: 409 for another one. Facts that are recorded already stay as they are, and no webhooks are sent.',
    example: { digest: '3b0c7bb3b1e0a1cbdc1b8a3a9b4e3c0c2a3b3bd0e6d2e3c2f3a0c6f5b1d2e4f7' },
    params: importParams,
    body: z.strictObject({ digest: z.string().max(100) }),
    response: importResponse,
    statuses: [202],
    handle: async ({ params: { importId }, scope: { projectId }, body: { digest }, by }, { deps }) => ({
      status: 202,
      body: presentImport(await confirmImport(deps, by, { importId, projectId }, digest)),
    }),
  }),
];
