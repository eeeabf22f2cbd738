// Services of handlers. The composition root creates them.
import type { Logger } from 'pino';
import type { AccessTokens } from '../../adapters/keys/access-tokens.js';
import type { Egress } from '../../adapters/outbound/address-rules.js';
import type { Outbound } from '../../adapters/outbound/port.js';
import type { ReportFiles } from '../../adapters/books/port.js';
import type { Metrics } from '../../adapters/metrics/port.js';
import type { ImportUploads } from '../../adapters/imports/port.js';
import type { Runtime } from '../../adapters/runtime.js';
import type { Auth } from '../../commands/accounts/auth.js';
import type { KeyUses } from '../../commands/accounts/key-uses.js';
import type { Idempotency } from '../../commands/idempotency/idempotency.js';
import type { StoredDelivery } from '../../commands/webhooks/deliveries.js';
import type { StoreDeps } from '../../commands/stores/store-integration.js';
import type { StoreRecords } from '../../commands/projects/store-records.js';
import type { ChartResponses, QueryCharts } from '../../projections/charts/requests/chart-queries.js';
import type { BooksAsOf } from '../../projections/books/month-as-of.js';
import type { Books } from '../../projections/books/books.js';
import type { Closings } from '../../projections/books/closings.js';
import type { Revenue } from '../../projections/books/revenue.js';
import type { Progress } from '../../projections/runtime/progress.js';
import type { ReadModels } from '../../projections/queries/read-models.js';
import type { StoreKind } from '../../domain/store-kinds.js';
import type { Live } from '../live/live-feeds.js';
import type { Demo } from '../demo/demo.js';
import type { RateLimits } from './rate-limits.js';
import type { RefusalCounts } from '../stores/refusal-counts.js';
import type { SdkCalls } from '../../commands/projects/sdk-calls.js';
import type { ReadModelCache } from '../caches/read-model-cache.js';
import type { ResponseCache } from '../caches/response-cache.js';
import type { BodyOf } from '../bodies/response-schemas.js';
import type { sdkOfferings } from '../catalog/responses.js';

/** Body of an offerings response, redacted for its view, with its text and entity tag. */
type OfferingsBody = { readonly body: BodyOf<typeof sdkOfferings>; readonly text: string; readonly etag: string };

export type Services = {
  readonly deps: StoreDeps;
  readonly runtime: Runtime;
  readonly log: Logger;
  readonly readModels: ReadModels;
  readonly cached: ReadModelCache;
  /** Bodies as text, without the date of the request. */
  readonly subscriberResponses: ResponseCache<string>;
  readonly offeringResponses: ResponseCache<OfferingsBody>;
  readonly progress: Progress;
  readonly accessTokens: Pick<AccessTokens, 'verify'>;
  readonly auth: Auth;
  readonly egress: Egress;
  readonly outbound: Outbound;
  readonly importUploads: ImportUploads;
  readonly reportFiles: ReportFiles;
  readonly books: Books;
  readonly booksAsOf: BooksAsOf;
  readonly revenue: Revenue;
  readonly closings: Closings;
  readonly maxProjectsPerUser: number;
  readonly storeRecords: StoreRecords;
  /** Loads the libraries of a store in the background, so that its first message does not wait for them. */
  readonly prepareStore: (kind: StoreKind) => void;
  readonly refusals: RefusalCounts;
  readonly sdkCalls: SdkCalls;
  readonly metrics: Metrics;
  /** Passes new deliveries to the sender of this process, if any; senders of other processes find them in the store. */
  readonly offerDeliveries: (deliveries: readonly StoredDelivery[]) => void;
  readonly limits: RateLimits;
  readonly idempotency: Idempotency;
  readonly keyUses: KeyUses;
  readonly live: Live;
  /** Null unless one process on loopback has all roles. */
  readonly demo: Demo | null;
  /** Base URL of links for users, without a trailing slash. */
  readonly publicUrl: () => string;
  /** Base URL of the compatibility API; null if it is off. */
  readonly sdkUrl: () => string | null;
  /** Runs chart queries, separately from requests. */
  readonly chartLedger: {
    readonly ask: QueryCharts;
    progress(projectId: string): Promise<ChartResponses['progress']>;
    warm(): void;
  };
};
