// Financial reports of the android-store: files in a private bucket, read by the JSON API of Google Cloud Storage. The bucket belongs to the
// account, and its name stands on the page "Download reports" of the Play Console.
import { z } from 'zod';
import { AndroidStoreRefusal, ReportsRefused } from '../../domain/errors.js';
import type { Outbound, OutboundResponse } from '../outbound/port.js';
import {
  readReport,
  readResponse,
  REPORT_BOUNDS,
  requestStore,
  type RequestBounds,
} from '../outbound/store-request.js';
import type { AccessTokens, TokenOwner } from './access-tokens.js';
import type { AndroidReports, ReportObject } from './port.js';

export const REPORT_SCOPE = 'https://www.googleapis.com/auth/devstorage.read_only';

/** Objects of a month and kind are few; an endless list must not be read endlessly. */
const MAX_PAGES = 5;
const PAGE = 200;
const LIST = '/storage/v1/b/o';
const DOWNLOAD = '/storage/v1/b/o/media';

const listSchema = z.object({
  items: z
    .array(
      z.object({
        name: z.string().max(1024),
        generation: z.string().max(40),
        size: z
          .string()
          .regex(/^\d{1,15}$/)
          .transform(Number),
      }),
    )
    .max(1000)
    .default([]),
  nextPageToken: z.string().max(2048).optional(),
});

/** Creates the client. `accessTokens`: of {@link REPORT_SCOPE}. `baseUrl` has no trailing slash. */
export function createAndroidReports(o: {
  readonly outbound: Outbound;
  readonly accessTokens: AccessTokens;
  readonly baseUrl: string;
  readonly bounds?: RequestBounds;
}): AndroidReports {
  type Request = Pick<Parameters<typeof requestStore>[1], 'call' | 'bounds' | 'signal'>;
  const send = async (owner: TokenOwner, path: string, request: Request): Promise<OutboundResponse> => {
    const ask = async () => {
      const headers = { authorization: `Bearer ${await o.accessTokens.get(owner)}` };
      return requestStore(o.outbound, { method: 'GET', url: `${o.baseUrl}${path}`, headers, ...request });
    };
    try {
      const first = await ask();
      if (first.status !== 401) return first;
      // The token may have been revoked early; a second 401 is final.
      o.accessTokens.forget(owner);
      return await ask();
    } catch (err) {
      if (!(err instanceof AndroidStoreRefusal)) throw err;
      const message = 'the android-store refused the key of the service account: it is wrong, or was deleted';
      throw new ReportsRefused('key_refused', message);
    }
  };
  const objectsOf = (bucket: string) => `/storage/v1/b/${encodeURIComponent(bucket)}/o`;
  return {
    list: async (owner, bucket, prefix, signal) => {
      const found: ReportObject[] = [];
      let page: string | undefined;
      for (let pages = 0; pages < MAX_PAGES; pages++) {
        const query = new URLSearchParams({ prefix, maxResults: String(PAGE) });
        query.set('fields', 'items(name,generation,size),nextPageToken');
        if (page !== undefined) query.set('pageToken', page);
        const response = await send(owner, `${objectsOf(bucket)}?${query.toString()}`, { call: LIST, signal });
        if (response.status >= 300) throw refusalOf(response.status, bucket);
        const { items, nextPageToken } = readResponse(listSchema, response);
        found.push(...items);
        page = nextPageToken;
        if (page === undefined) break;
      }
      return found;
    },
    download: async (owner, bucket, { name, generation }, signal) => {
      const query = new URLSearchParams({ alt: 'media', generation });
      const path = `${objectsOf(bucket)}/${encodeURIComponent(name)}?${query.toString()}`;
      const response = await send(owner, path, { call: DOWNLOAD, bounds: o.bounds ?? REPORT_BOUNDS, signal });
      // The store has replaced the file since it was listed.
      if (response.status === 404) return null;
      if (response.status >= 300) throw refusalOf(response.status, bucket);
      return readReport(response);
    },
  };
}

function refusalOf(status: number, bucket: string): ReportsRefused {
  if (status === 401) {
    const message = 'the android-store refused the key of the service account: it is wrong, or was deleted';
    return new ReportsRefused('key_refused', message);
  }
  if (status === 403) {
    const message = `the service account may not read ${bucket}: it needs the permission View financial data for the whole account (Users and permissions of the Play Console); a new permission counts after up to a day`;
    return new ReportsRefused('bucket_forbidden', message);
  }
  if (status === 404 || status === 400) {
    const message = `there is no bucket ${bucket}; its name is on the page Download reports, Financial, of the Play Console, under Copy Cloud Storage URI`;
    return new ReportsRefused('bucket_unknown', message);
  }
  return new ReportsRefused('unavailable', `the bucket ${bucket} responded with ${status}`);
}
