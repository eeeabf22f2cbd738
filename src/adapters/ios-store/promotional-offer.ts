// Signature of a promotional offer, by the store's library, which is loaded on first use because it takes long to load.

/** `privateKey`: PKCS 8, PEM. */
type OfferKey = { readonly bundleId: string; readonly keyId: string; readonly privateKey: string };

/** `accountToken`: the token with which the device will buy; empty without one. `timestampMs`: since the epoch. */
export type OfferTerms = {
  readonly storeProductId: string;
  readonly offerId: string;
  readonly accountToken: string;
  readonly nonce: string;
  readonly timestampMs: number;
};

/** Returns the signature (ECDSA with SHA-256) in DER, as base64. */
export async function signPromotionalOffer(
  { privateKey, keyId, bundleId }: OfferKey,
  { storeProductId, offerId, accountToken, nonce, timestampMs }: OfferTerms,
): Promise<string> {
  const { PromotionalOfferSignatureCreator } = await import('@apple/app-store-server-library');
  const creator = new PromotionalOfferSignatureCreator(privateKey, keyId, bundleId);
  return creator.createSignature(storeProductId, offerId, accountToken, nonce, timestampMs);
}
