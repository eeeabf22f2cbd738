// Signatures of promotional offers with the app's own key, which the store checks when the device buys with the offer. The key is the one for
// requests to the store's API.
import { v4 } from 'uuid';
import { signPromotionalOffer } from '../../../adapters/ios-store/promotional-offer.js';
import type { AppOwner, PromotionalOffer, SignedOffer } from '../store-integration.js';
import { openIosApp } from './credentials.js';
import type { IosDeps } from './inbox.js';

/** The store accepts a signature for 24 hours, and each nonce once. */
export async function signIosOffer(deps: IosDeps, owner: AppOwner, offer: PromotionalOffer): Promise<SignedOffer> {
  const { key, bundleId } = await openIosApp(deps, owner);
  const once = { nonce: v4({ random: deps.runtime.randomBytes(16) }), timestampMs: deps.runtime.now() };
  const signature = await signPromotionalOffer({ ...key, bundleId }, { ...offer, ...once });
  return { keyId: key.keyId, signature, ...once };
}
