// Collections other than read models: records, which are the source of truth and are backed up with the log, and ephemeral ones.
import { bookMonthCollection, bookPartCollection } from '../../projections/books/stored-months.js';
import { parkedCollection } from '../../projections/runtime/parked.js';
import { checkpointCollection } from '../../projections/runtime/runner.js';
import { servingCollection } from '../../projections/rebuild/serving.js';
import { chartReplayCollection } from '../../commands/projects/chart-replays.js';
import { importCollection } from '../../commands/imports/import-records.js';
import { verificationCollection } from '../../commands/imports/verification-records.js';
import { chartViewCollection } from '../../commands/projects/chart-views.js';
import { customerSegmentCollection } from '../../commands/projects/customer-segments.js';
import { invitationTokenCollection } from '../../commands/members/invitation-tokens.js';
import { registeredKeyCollection } from '../../commands/projects/registered-keys.js';
import { sdkCallCollection } from '../../commands/projects/sdk-calls.js';
import { storeTokenCollection } from '../../commands/projects/store-tokens.js';
import { credentialCollection } from '../../commands/projects/credentials.js';
import { reportSourceCollection } from '../../commands/books/report-sources.js';
import { credentialVerdictCollection } from '../../commands/projects/credential-checks.js';
import { webhookSecretCollection } from '../../commands/webhooks/secrets.js';
import { endpointHealthCollection } from '../../commands/webhooks/endpoint-health.js';
import { mapStores } from '../../commands/stores/modules.js';
import { storeTaskCollection } from '../../commands/stores/tasks.js';
import { keyUseCollection } from '../../commands/accounts/key-uses.js';
import { lockCollection } from '../../commands/handling/shared-mutex.js';
import { newestAttemptCollection } from '../../commands/webhooks/attempts.js';
import { progressCollection } from '../../projections/runtime/shared-progress.js';
import { authCollections } from '../../commands/accounts/auth.js';
import { parkedEventCollection } from '../../commands/handling/parked-events.js';
import { reactionCheckpointCollection } from '../reactions/reaction.js';
import { dailyComparisonCollection } from '../books/comparisons.js';
import { senderCollections } from '../webhooks/sender.js';
import { leaseCollection } from './lease.js';
import { presenceCollection } from './presence.js';

/** Records, which cannot be rebuilt. The data keys, which the engine opens itself, are one more. */
export const recordCollections = [
  reactionCheckpointCollection,
  parkedEventCollection,
  storeTokenCollection,
  registeredKeyCollection,
  credentialCollection,
  credentialVerdictCollection,
  reportSourceCollection,
  webhookSecretCollection,
  endpointHealthCollection,
  ...senderCollections,
  ...mapStores(({ collections }) => collections).flat(),
  storeTaskCollection,
  keyUseCollection,
  sdkCallCollection,
  chartViewCollection,
  customerSegmentCollection,
  chartReplayCollection,
  importCollection,
  verificationCollection,
  invitationTokenCollection,
  ...authCollections,
];

/** Ephemeral collections, recreated by the next process that runs. */
export const ephemeralCollections = [
  servingCollection,
  leaseCollection,
  presenceCollection,
  lockCollection,
  progressCollection,
  parkedCollection,
  checkpointCollection,
  newestAttemptCollection,
  bookMonthCollection,
  bookPartCollection,
  dailyComparisonCollection,
];
