// What the ios-store signs, believed only where it is about the app.
import { InvalidSignedData } from '../../../domain/errors.js';
import type { IosStorePort } from '../../../adapters/ios-store/api-port.js';
import { checkBelongsToApp, type IosNotification, type IosTransaction } from '../../../adapters/ios-store/port.js';
import type { App } from '../../../domain/project/events.js';
import type { StoreDeps } from '../store-integration.js';

export type IosDeps = StoreDeps & { readonly iosStore: IosStorePort };

/** Throws {@link InvalidSignedData}; `other_app` for what is rightly signed. */
export function verifyNotification({ iosStore }: IosDeps, app: App, signedPayload: string): Promise<IosNotification> {
  return ofApp(app, iosStore.signedData.verifyNotification(signedPayload));
}

/** Throws as {@link verifyNotification}. */
export function verifyTransaction({ iosStore }: IosDeps, app: App, signed: string): Promise<IosTransaction> {
  return ofApp(app, iosStore.signedData.verifyTransaction(signed));
}

async function ofApp<T extends IosNotification | IosTransaction>(app: App, verifying: Promise<T>): Promise<T> {
  const signed = await verifying;
  const identity = { bundleId: app.storeIdentifier, storeAppId: app.storeAppId ?? undefined };
  const fault = checkBelongsToApp(signed, identity);
  if (fault !== null) throw new InvalidSignedData('other_app', fault);
  return signed;
}
