// The collections beside the read models: records, which are the truth and are backed up with the log, and what passes by itself.
import { parkedCollection } from '../projections/parked.js';
import { checkpointCollection } from '../projections/runner.js';
import { servingCollection } from '../projections/serving.js';
import { storeTokenCollection } from '../commands/store-tokens.js';
import { credentialCollection } from '../commands/credentials.js';
import { credentialVerdictCollection } from '../commands/credential-verdicts.js';
import { webhookSecretCollection } from '../commands/webhook-secrets.js';
import { endpointHealthCollection } from '../commands/endpoint-health.js';
import { purchaseTokenCollection } from '../commands/purchase-tokens.js';
import { storeTaskCollection } from '../commands/store-tasks.js';
import { keyUseCollection } from '../commands/key-uses.js';
import { lockCollection } from '../commands/shared-lanes.js';
import { progressCollection } from '../projections/shared-progress.js';
import { authCollections } from '../commands/auth.js';
import { parkedEventCollection } from '../commands/parked-events.js';
import { cursorCollection } from './reaction.js';
import { senderCollections } from './webhooks/sender.js';
import { leaseCollection } from './lease.js';

/** Records: nothing rebuilds them. The data keys, which the engine opens by itself, are one more. */
export const recordCollections = [
  cursorCollection,
  parkedEventCollection,
  storeTokenCollection,
  credentialCollection,
  credentialVerdictCollection,
  webhookSecretCollection,
  endpointHealthCollection,
  ...senderCollections,
  purchaseTokenCollection,
  storeTaskCollection,
  keyUseCollection,
  ...authCollections,
];

/** Made again by whoever runs next. */
export const passingCollections = [
  servingCollection,
  leaseCollection,
  lockCollection,
  progressCollection,
  parkedCollection,
  checkpointCollection,
];
