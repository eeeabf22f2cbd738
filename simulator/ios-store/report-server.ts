// The ios-store's financial reports, as its App Store Connect API gives them to a key of the account.
import { createPublicKey, verify } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { sendFile, sendJson, type ReportFault } from '../report-answers.js';

/** `role`: of the key. Only Finance reads reports. */
export type AccountKey = { readonly issuerId: string; readonly privateKey: string; readonly role: string };

export type IosReportState = {
  /** Keys of accounts by their ID. */
  readonly accountKeys: Map<string, AccountKey>;
  readonly vendorNumbers: Set<string>;
  /** Compressed reports, by {@link reportKey}. */
  readonly reports: Map<string, Buffer>;
  /** Type and fiscal month of each request for a report. */
  readonly reportRequests: string[];
};

export type IosReportServer = IosReportState & {
  /** Makes every request for a report fail; null ends that. */
  setReportFault(fault: ReportFault | null): void;
};

export function reportKey(vendorNumber: string, type: 'FINANCE_DETAIL' | 'FINANCIAL', fiscalMonth: string): string {
  return `${vendorNumber} ${type} ${fiscalMonth}`;
}

export const REPORT_PATH = '/v1/financeReports';
const REGIONS: Readonly<Record<string, string>> = { FINANCE_DETAIL: 'Z1', FINANCIAL: 'ZZ' };

const header = z.object({ alg: z.literal('ES256'), kid: z.string() });
/** The token of an account names no app. */
const claims = z.strictObject({
  iss: z.string(),
  aud: z.literal('appstoreconnect-v1'),
  iat: z.number(),
  exp: z.number(),
});

export function createIosReportServer() {
  const state: IosReportState = {
    accountKeys: new Map(),
    vendorNumbers: new Set(),
    reports: new Map(),
    reportRequests: [],
  };
  let fault: ReportFault | null = null;
  const refuse = (response: ServerResponse, status: number, code: string, detail: string) =>
    sendJson(response, status, { errors: [{ status: String(status), code, title: code, detail }] });

  const serve = (request: IncomingMessage, response: ServerResponse, url: URL): void => {
    const type = url.searchParams.get('filter[reportType]') ?? '';
    const month = url.searchParams.get('filter[reportDate]') ?? '';
    const vendor = url.searchParams.get('filter[vendorNumber]') ?? '';
    state.reportRequests.push(`${type} ${month}`);
    const key = findKey(state, request.headers.authorization?.replace('Bearer ', '') ?? '');
    if (!key) return refuse(response, 401, 'NOT_AUTHORIZED', 'Provide a properly configured and signed bearer token.');
    if (key.role !== 'Finance')
      return refuse(response, 403, 'FORBIDDEN_ERROR', 'The API key in use does not allow this request');
    if (request.headers.accept?.includes('application/a-gzip') !== true)
      return refuse(response, 406, 'NOT_ACCEPTABLE', 'The provided Accept header is not supported for this request.');
    if (!state.vendorNumbers.has(vendor))
      return refuse(response, 400, 'PARAMETER_ERROR.INVALID', 'Invalid vendor number specified.');
    if (url.searchParams.get('filter[regionCode]') !== REGIONS[type])
      return refuse(response, 400, 'PARAMETER_ERROR.INVALID', 'The region code is not valid for this report.');
    const file = state.reports.get(`${vendor} ${type} ${month}`);
    if (!file && fault === null)
      return refuse(response, 404, 'NOT_FOUND', 'There were no sales for the date specified.');
    return sendFile(response, file ?? Buffer.alloc(0), 'application/a-gzip', fault);
  };
  const setReportFault = (next: ReportFault | null) => void (fault = next);
  return { state, serve, setReportFault };
}

function findKey({ accountKeys }: IosReportState, bearer: string): AccountKey | null {
  const [head = '', body = '', signature = ''] = bearer.split('.');
  const read = header.safeParse(decodePart(head));
  const key = read.success ? accountKeys.get(read.data.kid) : undefined;
  const token = claims.safeParse(decodePart(body));
  if (!key || !token.success || token.data.iss !== key.issuerId) return null;
  const verifier = { key: createPublicKey(key.privateKey), dsaEncoding: 'ieee-p1363' as const };
  const isSigned = verify('sha256', Buffer.from(`${head}.${body}`), verifier, Buffer.from(signature, 'base64url'));
  return isSigned ? key : null;
}

function decodePart(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString());
  } catch {
    // Invalid JSON; the schema rejects it.
    return undefined;
  }
}
