// Financial reports at the server of a store, before they are downloaded.
import type { z } from 'zod';
import type { Terms } from '../projects/credentials.js';

/** `months`: `yyyy-mm`, the newest first. `endsAtMs`: after it no further request is begun. `secret` null: the store is read with the credentials of the app. `today`: Pacific day. */
export type ReportSearch = {
  readonly account: string;
  readonly terms: Terms;
  readonly secret: string | null;
  readonly months: readonly string[];
  readonly today: string;
  readonly endsAtMs: number;
  readonly signal: AbortSignal;
};

/**
 * `name`: stays when the content changes. `version`: changes with the content; null if the store does not state it. `everyMs`: a report of the
 * same name is downloaded again after that time at the earliest.
 */
export type FoundReport = {
  readonly name: string;
  readonly version: string | null;
  readonly everyMs: number;
  /** Returns null for a report that is not published yet. Throws as the search does. */
  download(signal: AbortSignal): Promise<DownloadedReport | null>;
};

/** `account` null: as the name of the file states it. `isPackedAnew`: the store compresses it for each download, with other bytes. */
export type DownloadedReport = {
  readonly fileName: string;
  readonly account: string | null;
  readonly content: Buffer;
  readonly isPackedAnew: boolean;
};

/** Form of what a look at the reports of an app needs. */
export type ReportSourceForm = {
  readonly summary: string;
  readonly body: z.ZodType;
  /** Throws `Rejection` for an unusable secret. */
  check(body: unknown): CheckedReportSource;
};

/** `account`: vendor number or name of the bucket. `fingerprint` and `secret` null: without a key of its own. */
export type CheckedReportSource = {
  readonly account: string;
  readonly terms: Terms;
  readonly secret: string | null;
  readonly fingerprint: string | null;
};

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
