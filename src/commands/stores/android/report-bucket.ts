// Financial reports of the android-store, from the bucket of the account: the earnings of each month, or its sales until there are earnings.
import { z } from 'zod';
import type { AndroidReports, ReportObject } from '../../../adapters/android-store/port.js';
import { ReportsRefused, StoreUnavailable } from '../../../domain/errors.js';
import { DAY_MS, type FoundReport, type ReportSourceForm } from '../found-reports.js';
import type { StoreIntegration } from '../store-integration.js';
import { openServiceAccount } from './credentials.js';

/** Such as `pubsite_prod_rev_01234567890987654321`, also as the address of a folder in it, which is what the Play Console copies. */
const bucket = z
  .string()
  .max(200)
  .transform((text) =>
    text
      .trim()
      .replace(/^gs:\/\//, '')
      .replace(/\/.*$/, ''),
  )
  .refine((name) => /^pubsite_prod_[a-z0-9_]{1,60}$/.test(name), 'must be the name of a bucket, pubsite_prod_…');

const body = z.strictObject({ bucket });

export const androidReportSource: ReportSourceForm = {
  summary: 'Register the bucket of Android financial reports',
  body,
  check: (input) => ({ account: body.parse(input).bucket, terms: {}, secret: null, fingerprint: null }),
};

const EARNINGS = /^earnings\/(earnings_\d{6}_[A-Za-z0-9-]{1,100}\.zip)$/;
const SALES = /^sales\/(salesreport_\d{6}\.zip)$/;
/** Each day has another file of the sales of the running month, with all days before; the earnings are what counts. */
const RUNNING_MONTH_MS = 7 * DAY_MS;
/** A larger file is refused without a download. */
const MAX_BYTES = 64 * 1024 * 1024;

export function findAndroidReports(reports: AndroidReports): NonNullable<StoreIntegration['findReports']> {
  return async (deps, { projectId, app }, { account: bucketName, months, today, endsAtMs, signal }) => {
    const account = await openServiceAccount(deps, { projectId, appId: app.appId });
    if (!account) {
      const message = 'the app has no service account, which reads the bucket; register the credentials of the app';
      throw new ReportsRefused('credentials_missing', message);
    }
    const owner = { projectId, account };
    const found: FoundReport[] = [];
    const reportOf = (file: ReportObject, fileName: string, everyMs: number): FoundReport => ({
      ...{ name: file.name, version: file.generation, everyMs },
      download: async (ending) => {
        if (file.size > MAX_BYTES) throw new ReportsRefused('report_too_large', `${fileName} is larger than 64 MiB`);
        const content = await reports.download(owner, bucketName, file, ending);
        return content && { fileName, account: null, content, isPackedAnew: false };
      },
    });
    for (const month of months) {
      if (deps.runtime.now() > endsAtMs) throw new StoreUnavailable('the bucket answers too slowly');
      const digits = month.replace('-', '');
      const listOf = async (prefix: string, pattern: RegExp, everyMs: number) => {
        const files = await reports.list(owner, bucketName, `${prefix}${digits}`, signal);
        return files.flatMap((file) => {
          const fileName = pattern.exec(file.name)?.[1];
          return fileName === undefined ? [] : [reportOf(file, fileName, everyMs)];
        });
      };
      const earnings = await listOf('earnings/earnings_', EARNINGS, 0);
      const everyMs = month === today.slice(0, 7) ? RUNNING_MONTH_MS : 0;
      found.push(...(earnings.length > 0 ? earnings : await listOf('sales/salesreport_', SALES, everyMs)));
    }
    return found;
  };
}
