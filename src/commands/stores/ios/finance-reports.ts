// Financial reports of the ios-store, by the key of an account: the detail of each fiscal month, or the report without days where there is none.
import { z } from 'zod';
import type { IosKey, IosReports } from '../../../adapters/ios-store/port.js';
import { fingerprintOf, parseUsableKey } from '../../projects/credential-keys.js';
import { HOUR_MS, type DownloadedReport, type FoundReport, type ReportSourceForm } from '../found-reports.js';
import type { StoreIntegration } from '../store-integration.js';
import { storeId } from './credentials.js';

const body = z.strictObject({
  issuerId: storeId,
  keyId: storeId,
  privateKey: z.string().min(1).max(10_000),
  vendorNumber: z.string().regex(/^\d{5,12}$/, 'must be the digits on the page Payments and Financial Reports'),
});

export const iosReportSource: ReportSourceForm = {
  summary: 'Register the key for iOS financial reports',
  body,
  check: (input) => {
    const { privateKey: secret, vendorNumber: account, ...terms } = body.parse(input);
    return { account, terms, secret, fingerprint: fingerprintOf(parseUsableKey('ES256', secret, 'privateKey')) };
  },
};

const knownTerms = z.object({ issuerId: z.string(), keyId: z.string() });
/** Less than a day, so that a daily look asks again. The store names no version. */
const EVERY_MS = 20 * HOUR_MS;

export function findIosReports(reports: IosReports): NonNullable<StoreIntegration['findReports']> {
  return (_deps, _owner, { account: vendorNumber, terms, secret, months }) => {
    const key: IosKey = { ...knownTerms.parse(terms), privateKey: secret ?? '' };
    const found = months.map((month): FoundReport => {
      const download = async (signal: AbortSignal): Promise<DownloadedReport | null> => {
        for (const [type, region] of TYPES) {
          const request = { type, fiscalMonth: fiscalMonthOf(month), vendorNumber };
          const content = await reports.report(key, request, signal);
          const fileName = `${vendorNumber}_${month.slice(5)}${month.slice(2, 4)}_${region}.txt.gz`;
          if (content) return { fileName, account: vendorNumber, content, isPackedAnew: true };
        }
        return null;
      };
      return { name: month, version: null, everyMs: EVERY_MS, download };
    });
    return Promise.resolve(found);
  };
}

/** The better one first, with its region in names of files. */
const TYPES = [
  ['FINANCE_DETAIL', 'Z1'],
  ['FINANCIAL', 'ZZ'],
] as const;

/** Returns the month in the store's fiscal year, which begins in October: `2026-10` for July of 2026. */
export function fiscalMonthOf(month: string): string {
  const [year = 0, calendarMonth = 0] = month.split('-').map(Number);
  const fiscal = ((calendarMonth + 2) % 12) + 1;
  return `${calendarMonth >= 10 ? year + 1 : year}-${String(fiscal).padStart(2, '0')}`;
}
