// Data of which a month of the books is computed.
import type { EventLog } from '../../adapters/event-log/port.js';
import type { Runtime } from '../../adapters/runtime.js';
import type { Absence } from '../../domain/books/absences.js';
import type { UncountedReason } from '../../domain/books/counted-reports.js';
import type { ReportLine } from '../../domain/books/lines.js';
import type { Rates } from '../../domain/rates/rates.js';
import type { StoreReportDoc } from '../models/store-reports.js';
import type { ReadModels } from '../queries/read-models.js';

/** A report that does not count has a reason. */
export type ListedReport = StoreReportDoc & {
  readonly isCounted: boolean;
  readonly uncountedReason: UncountedReason | null;
};

/** Data of which a month is computed. */
export type MonthSources = {
  readonly log: Pick<EventLog, 'read'>;
  readonly readModels: ReadModels;
  /** Returns the reference rates. */
  readonly rates: () => Promise<Rates>;
  /** Resolves when background work may continue. */
  readonly slice: Runtime['slice'];
  /** Returns the UTC days on which customers were first seen; omitted where months have no cohorts. */
  readonly firstSeenDays?: (customerIds: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  /** Returns the lines of a report, which never change. */
  readonly linesOf: (report: Pick<StoreReportDoc, 'projectId' | 'reportId'>) => Promise<readonly ReportLine[]>;
};

/** A month of a project, with all its reports. `today`: Pacific day. */
export type MonthRequest = {
  readonly projectId: string;
  readonly month: string;
  readonly today: string;
  readonly reports: readonly ListedReport[];
  /** Reports of the month that will not come. */
  readonly absences: readonly Absence[];
};

/** `version` changes with everything that may change the month. */
export type VersionedRequest = MonthRequest & { readonly version: string };
