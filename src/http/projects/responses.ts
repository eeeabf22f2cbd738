// Responses about apps and the credentials of their stores.
import { z } from 'zod';
import { refundAnswer, refundConsent } from '../../domain/project/events.js';
import { refundPolicy } from '../../domain/subscriber/events/blocks.js';
import { mapStores } from '../../commands/stores/modules.js';
import type { StoreModule } from '../../commands/stores/store-module.js';
import { appStore, rulesOfStore, TEST_PLATFORM, TEST_STORE } from '../../domain/store-kinds.js';
import { secret, time } from '../bodies/response-schemas.js';

const appFields = { object: z.literal('app'), id: z.string(), projectId: z.string(), name: z.string() };
const settingFields = {
  notificationUrl: secret(z.string().nullable()).meta({
    description:
      'Enter it in the store’s console. Its last part is a secret: the credential of the store’s notifications.',
  }),
  notificationForwardingUrl: z.string().nullable(),
  refundPolicy,
  iosStoreSmallBusiness: z.boolean(),
  refundAnswer: refundAnswer.meta({
    description: 'Answer to the store’s question about a refund; `none`: a member decides each.',
  }),
  refundConsent: refundConsent.meta({
    description:
      'Who consents that the store gets data about a purchase: customers with the attribute `$refundConsent` = `true`, or all by the app’s terms.',
  }),
  createdAt: time,
  updatedAt: time,
};

const apps = mapStores(({ kind, schemaName, app: { response } }) =>
  z
    .strictObject({
      ...appFields,
      platform: z.literal(rulesOfStore(kind).platform),
      store: z.literal(kind),
      ...response,
      ...settingFields,
    })
    .meta({ id: `${schemaName}App` }),
);
const testApp = z
  .strictObject({ ...appFields, platform: z.literal(TEST_PLATFORM), store: z.literal(TEST_STORE), ...settingFields })
  .meta({ id: 'TestApp' });
export const app = z.discriminatedUnion('platform', [...apps, testApp]).meta({ id: 'App' });

const credentialFields = { object: z.literal('appCredentials'), configured: z.literal(true), createdAt: time };
export function credentialsOf({ kind, schemaName, credentials }: StoreModule<never>) {
  return z
    .strictObject({ ...credentialFields, store: z.literal(kind), ...credentials.response })
    .meta({ id: `${schemaName}Credentials` });
}

export const credentialsStatus = z
  .strictObject({
    object: z.literal('credentialsStatus'),
    store: appStore,
    configured: z.boolean(),
    valid: z.boolean().nullable().meta({ description: 'Null until they have been used at the store.' }),
    lastCheckedAt: time.nullable(),
    lastError: z.string().nullable(),
    notifications: z.strictObject({
      url: secret(z.string().nullable()),
      lastReceivedAt: time.nullable(),
      lastTestAt: time.nullable(),
      last24h: z.strictObject({ received: z.int(), processed: z.int(), refused: z.int() }),
      forwarding: z.strictObject({
        url: z.string().nullable(),
        lastStatus: z.int().nullable(),
        lastAt: time.nullable(),
      }),
    }),
  })
  .meta({ id: 'CredentialsStatus' });
