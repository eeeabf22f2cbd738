// The android-store's bucket of financial reports, as the JSON API of Google Cloud Storage gives it to a service account.
import type { ServerResponse } from 'node:http';
import { sendFile, sendJson, type ReportFault } from '../report-answers.js';

export type AndroidReportState = {
  /** Files by bucket and name. `generation`: another one for each content. */
  readonly buckets: Map<string, Map<string, { readonly content: Buffer; readonly generation: string }>>;
  /** Path and query of each request to the bucket. */
  readonly bucketRequests: string[];
};

export type AndroidReportServer = AndroidReportState & {
  /** Adds a file to a bucket, or replaces it. */
  putReport(bucket: string, name: string, content: Buffer): void;
  /** Makes every request to the buckets fail; null ends that. */
  setReportFault(fault: ReportFault | null): void;
};

export const BUCKET_PATH = /^\/storage\/v1\/b\/([^/]+)\/o(?:\/([^/]+))?$/;
const READ_SCOPE = 'https://www.googleapis.com/auth/devstorage.read_only';

/** `scopeOf`: scope of an access token; undefined for one that is not valid. `pageSize`: files of a page, at most. */
export function createAndroidReportServer(scopeOf: (token: string) => string | undefined, pageSize = 2) {
  const state: AndroidReportState = { buckets: new Map(), bucketRequests: [] };
  let fault: ReportFault | null = null;
  let generations = 1_700_000_000_000_000;
  const refuse = (response: ServerResponse, status: number, message: string) =>
    sendJson(response, status, { error: { code: status, message } });

  const serve = (token: string, response: ServerResponse, url: URL): void => {
    const [, bucket = '', object] = BUCKET_PATH.exec(url.pathname) ?? [];
    state.bucketRequests.push(`${url.pathname}${url.search}`);
    const scope = scopeOf(token);
    if (scope === undefined) return refuse(response, 401, 'Invalid Credentials');
    if (scope !== READ_SCOPE) return refuse(response, 403, 'Insufficient Permission');
    const isJson = object === undefined && fault !== 'hanging' && fault !== 'endless';
    if (fault !== null && (!isJson || typeof fault === 'object'))
      return sendFile(response, fileOf(state, bucket, object) ?? Buffer.alloc(0), 'application/zip', fault);
    const files = state.buckets.get(decodeURIComponent(bucket));
    if (!files) return refuse(response, 404, 'The specified bucket does not exist.');
    if (object !== undefined) {
      const file = files.get(decodeURIComponent(object));
      if (!file || file.generation !== (url.searchParams.get('generation') ?? file.generation))
        return refuse(response, 404, `No such object: ${object}`);
      return sendFile(response, file.content, 'application/zip', null);
    }
    const prefix = url.searchParams.get('prefix') ?? '';
    const names = [...files.keys()].filter((name) => name.startsWith(prefix)).sort();
    const from = Number(url.searchParams.get('pageToken') ?? 0);
    const items = names.slice(from, from + pageSize).map((name) => {
      const { content, generation } = files.get(name) ?? { content: Buffer.alloc(0), generation: '' };
      return { name, generation, size: String(content.length) };
    });
    // An empty list has no field of items.
    const next = names.length > from + pageSize ? { nextPageToken: String(from + pageSize) } : {};
    sendJson(response, 200, { ...(items.length > 0 && { items }), ...next });
  };
  const putReport = (bucket: string, name: string, content: Buffer) => {
    const files = state.buckets.get(bucket) ?? new Map<string, { content: Buffer; generation: string }>();
    state.buckets.set(bucket, files.set(name, { content, generation: String(generations++) }));
  };
  const setReportFault = (next: ReportFault | null) => void (fault = next);
  return { state, serve, putReport, setReportFault };
}

function fileOf({ buckets }: AndroidReportState, bucket: string, object: string | undefined): Buffer | undefined {
  return object === undefined ? undefined : buckets.get(bucket)?.get(decodeURIComponent(object))?.content;
}
