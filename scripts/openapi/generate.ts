// Generates the OpenAPI document and the client's types from the route table. Run by `npm run openapi`; a test compares.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import openapiTypes, { astToString } from 'openapi-typescript';
import { openApiDocument } from './document.js';
import { routes } from '../../src/http/routes.js';

const NOTE = '// Generated from openapi.json by `npm run openapi`.\n\n';

export type GeneratedFile = { readonly file: URL; readonly text: string };

export async function generate(): Promise<readonly GeneratedFile[]> {
  const json = JSON.stringify(openApiDocument(routes), null, 2);
  const types = astToString(await openapiTypes(json, { alphabetize: true, defaultNonNullable: false }));
  return [
    { file: new URL('../../openapi.json', import.meta.url), text: `${json}\n` },
    { file: new URL('../../sdk/src/types.ts', import.meta.url), text: `${NOTE}${types}` },
  ];
}

/** Returns the committed file, or an empty text if it is missing. */
export function committed(file: URL): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (err) {
    if (err instanceof Error && 'code' in err && err.code === 'ENOENT') return '';
    throw err;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const { file, text } of await generate()) writeFileSync(file, text);
}
