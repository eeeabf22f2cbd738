// API part of a store, available before the store is opened: the forms of its apps, credentials and notifications.
import { z } from 'zod';
import type { App } from '../../domain/project/events.js';
import type { SubscriptionPurchaseRef } from '../../domain/subscriber/events/blocks.js';
import type { StoreKind } from '../../domain/store-kinds.js';
import type { CheckedKey } from '../projects/credential-keys.js';
import type { Terms } from '../projects/credentials.js';
import type { ReportSourceForm } from './found-reports.js';
import type { StoreIntegration } from './store-integration.js';

type PublicFields = Readonly<Record<string, unknown>>;

/** `Port`: interface of the store's adapter. */
export type StoreModule<Port> = {
  readonly kind: StoreKind;
  /** Prefix of its schemas in the OpenAPI document: `Ios` for `IosApp`. */
  readonly schemaName: string;
  readonly notification: { readonly summary: string; readonly example?: object; readonly body: z.ZodType };
  readonly app: AppForm;
  readonly credentials: CredentialsForm;
  /** Null for a store without a report server. */
  readonly reportSource: ReportSourceForm | null;
  readonly receiptExample: string;
  readonly managementPage: ManagementPage;
  readonly compatibility: Compatibility;
  /** Collections of its own records, which no rebuild restores. */
  readonly collections: readonly Collection[];
  integrate(port: Port): StoreIntegration;
};

type Collection = { readonly name: string; readonly indexes: readonly { name: string; fields: string[] }[] };

/** `names` and `settings`: fields of the body that registers an app; `response`: fields by which an app is shown. */
type AppForm = {
  readonly names: z.ZodRawShape;
  readonly settings: z.ZodRawShape;
  readonly response: z.ZodRawShape;
  /** Reads a body that has these fields. */
  read(body: unknown): Pick<App, 'storeIdentifier' | 'storeAppId' | 'iosStoreSmallBusiness'>;
  show(app: Pick<App, 'storeIdentifier' | 'storeAppId'>): PublicFields;
};

type CredentialsForm = {
  readonly summary: string;
  readonly body: z.ZodType;
  readonly response: z.ZodRawShape;
  /** Throws `Rejection` for an unreadable or unusable secret. `field`: name under which it is sealed. */
  check(body: unknown): CheckedKey & { readonly field: string; readonly terms: Terms };
  show(terms: Terms): PublicFields;
};

/** Properties of the store in the compatibility API. */
type Compatibility = {
  /** Error code for an app without credentials. */
  readonly noCredentialsCode: number;
  /** True if a receipt contains its product; otherwise the client sends it. */
  readonly receiptNamesProduct: boolean;
  /** First characters of the public keys that RevenueCat issues for apps of the store. */
  readonly keyPrefixes: readonly string[];
};

/** Page where a customer changes or ends a subscription. `namesApp`: whether its address contains the store's name of the app. */
type ManagementPage = {
  readonly namesApp: boolean;
  of(purchase: SubscriptionPurchaseRef, appName: string | undefined): string;
};

/** Store's identifier of an app. */
export const storeIdentifier = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,254}$/, 'must look like com.example.app');
