// Opens the stores and integrates them: two lines for each.
import { openAndroidStore } from '../adapters/android-store/store.js';
import type { Config } from '../adapters/configuration/config.js';
import type { IosSignedData } from '../adapters/ios-store/port.js';
import { openIosStore } from '../adapters/ios-store/store.js';
import type { Runtime } from '../adapters/runtime.js';
import type { CredentialVerdicts } from '../adapters/outbound/store-request.js';
import { storeModules } from '../commands/stores/modules.js';
import { storesOf, type Stores } from '../commands/stores/store-integration.js';
import type { StoreModule } from '../commands/stores/store-module.js';
import { storeKinds, type StoreKind } from '../domain/store-kinds.js';

export type StoreParts = {
  readonly config: Config;
  readonly runtime: Pick<Runtime, 'now' | 'elapsed' | 'sleep'>;
  readonly verdicts: CredentialVerdicts;
  /** Adds the verification of a simulated store's signed data. */
  readonly trustSimulated?: ((real: IosSignedData) => IosSignedData) | undefined;
};

type PortOf<M> = M extends StoreModule<infer Port> ? Port : never;
type Ports = { readonly [K in StoreKind]: PortOf<(typeof storeModules)[K]> };
type StoreOpener<Port> = (parts: StoreParts) => Port & { prepare(): Promise<void>; close(): Promise<void> };

const openers: { readonly [K in StoreKind]: StoreOpener<Ports[K]> } = {
  'ios-store': (parts) => {
    const { signedData, ...store } = openIosStore(parts);
    return { ...store, signedData: parts.trustSimulated?.(signedData) ?? signedData };
  },
  'android-store': openAndroidStore,
};
const modules: { readonly [K in StoreKind]: StoreModule<Ports[K]> } = storeModules;

export type OpenedStores = {
  readonly stores: Stores;
  /** Loads the libraries of a store in advance, so that its first message does not wait for them. */
  prepare(kind: StoreKind): Promise<void>;
  close(): Promise<void>;
};

/** Opens the stores, which must be closed. Throws `UnusableRootCertificates`. */
export function openStores(parts: StoreParts): OpenedStores {
  const opened = storeKinds.map((kind) => openStore(kind, parts));
  return {
    prepare: async (kind) => opened[storeKinds.indexOf(kind)]?.prepare(),
    stores: storesOf(opened.map(({ integration }) => integration)),
    close: async () => {
      for (const store of opened) await store.close();
    },
  };
}

function openStore<K extends StoreKind>(kind: K, parts: StoreParts) {
  const port = openers[kind](parts);
  return { integration: modules[kind].integrate(port), prepare: () => port.prepare(), close: () => port.close() };
}
