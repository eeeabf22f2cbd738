import type { StoreKind } from '../../domain/store-kinds.js';

/** The app has no credentials with which its store could be asked. */
export class NoCredentials extends Error {
  constructor(appId: string, store: StoreKind) {
    super(`app ${appId} has no credentials of the ${store}`);
    this.name = 'NoCredentials';
  }
}
