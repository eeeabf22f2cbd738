// Recorded responses by route and status, from `response-examples.json`.
import { readFileSync } from 'node:fs';

export const EXAMPLES_FILE = new URL('../../response-examples.json', import.meta.url);

/** Examples by method and path, such as `GET /v1/projects`, then by status. */
export type ResponseExamples = Readonly<Record<string, Readonly<Record<number, unknown>>>>;

export const responseExamples = JSON.parse(readFileSync(EXAMPLES_FILE, 'utf8')) as ResponseExamples;
