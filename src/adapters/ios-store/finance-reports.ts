// Financial reports of the ios-store by the App Store Connect API: the store's page "Download finance reports". Its key is of another kind
// than that for purchases, and belongs to the whole account.
import { z } from 'zod';
import { ReportsRefused, UnusableKey } from '../../domain/errors.js';
import { signJwt } from '../keys/signing-keys.js';
import type { Outbound, OutboundResponse } from '../outbound/port.js';
import { readReport, REPORT_BOUNDS, requestStore, type RequestBounds } from '../outbound/store-request.js';
import type { Runtime } from '../runtime.js';
import type { IosKey, IosReports } from './port.js';

const AUDIENCE = 'appstoreconnect-v1';
const TOKEN_TTL_S = 1200;
/** Region of all countries, by the type of the report. */
const REGIONS = { FINANCE_DETAIL: 'Z1', FINANCIAL: 'ZZ' } as const;
const PATH = '/v1/financeReports';

const failure = z.object({
  errors: z.array(z.object({ code: z.string().default(''), detail: z.string().default('') })).default([]),
});

/** Creates the client. `baseUrl` has no trailing slash. */
export function createIosReports(o: {
  readonly outbound: Outbound;
  readonly baseUrl: string;
  readonly runtime: Pick<Runtime, 'now'>;
  readonly bounds?: RequestBounds;
}): IosReports {
  return {
    report: async (key, { type, fiscalMonth, vendorNumber }, signal) => {
      const query = new URLSearchParams({
        'filter[regionCode]': REGIONS[type],
        'filter[reportDate]': fiscalMonth,
        'filter[reportType]': type,
        'filter[vendorNumber]': vendorNumber,
      });
      const token = await signToken(key, Math.floor(o.runtime.now() / 1000));
      const response = await requestStore(o.outbound, {
        method: 'GET',
        url: `${o.baseUrl}${PATH}?${query.toString()}`,
        call: PATH,
        headers: { authorization: `Bearer ${token}`, accept: 'application/a-gzip, application/json' },
        bounds: o.bounds ?? REPORT_BOUNDS,
        signal,
      });
      if (response.status < 300) return readReport(response);
      if (response.status === 404) return null;
      throw refusalOf(response);
    },
  };
}

function refusalOf(response: OutboundResponse): ReportsRefused {
  const { status } = response;
  const { code, detail } = firstErrorOf(response);
  if (/vendor number/i.test(detail)) {
    const message =
      'the ios-store knows no account with this vendor number that the key may read; it is on the page Payments and Financial Reports';
    return new ReportsRefused('vendor_unknown', message);
  }
  if (code.startsWith('FORBIDDEN.REQUIRED_AGREEMENTS')) {
    const message =
      'an agreement with the ios-store is not signed, or has expired; the account holder signs it under Business';
    return new ReportsRefused('agreement_missing', message);
  }
  if (status === 403) {
    const message =
      'the key may not read financial reports: it needs the role Finance (Users and Access, Integrations)';
    return new ReportsRefused('role_missing', message);
  }
  if (status === 401) {
    const message =
      'the ios-store refused the key: the issuer ID, the key ID or the private key is wrong, or the key was revoked';
    return new ReportsRefused('key_refused', message);
  }
  return new ReportsRefused('unavailable', `${PATH} responded with ${status}`);
}

function firstErrorOf({ body, truncated }: OutboundResponse) {
  const none = { code: '', detail: '' };
  if (truncated || body.length > MAX_ERROR_BYTES) return none;
  try {
    return failure.parse(JSON.parse(body.toString())).errors[0] ?? none;
  } catch {
    // The status says enough.
    return none;
  }
}

const MAX_ERROR_BYTES = 100_000;

/** Signs the token of a request. Unlike that for purchases, it names no app. */
async function signToken({ issuerId, keyId, privateKey }: IosKey, nowS: number): Promise<string> {
  try {
    const claims = { iss: issuerId, iat: nowS, exp: nowS + TOKEN_TTL_S, aud: AUDIENCE };
    return await signJwt('ES256', privateKey, { keyId, claims });
  } catch (err) {
    throw err instanceof UnusableKey ? new ReportsRefused('key_refused', `privateKey ${err.message}`) : err;
  }
}
