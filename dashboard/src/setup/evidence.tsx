// Lists what the setup still lacks, and which SDKs call the compatibility API.
import type { Schemas } from '../api/client';
import { storeName } from '../names/stores';
import { Time } from '../parts/time';
import { AttachProduct } from './attach-product';
import { useProducts } from './lists';

type Evidence = Schemas['SetupEvidence'];

export function Problems({ evidence }: { readonly evidence: Evidence }) {
  const products = useProducts().data?.items ?? [];
  const {
    productsWithoutEntitlement,
    productsWithoutPrice,
    offeringsWithoutProduct,
    failingWebhooks,
    chartsInPreparation,
  } = evidence;
  // A consumable is used up and needs no entitlement.
  const consumables = new Set(products.filter(({ type }) => type === 'consumable').map(({ id }) => id));
  const problems = [
    ...productsWithoutEntitlement
      .filter(({ productId }) => !consumables.has(productId))
      .map(({ productId, store, storeProductId }) => ({
        text: `The product ${storeProductId} (${storeName(store)}) unlocks nothing. Attach it to an entitlement.`,
        action: <AttachProduct productId={productId} name={storeProductId} />,
      })),
    ...[
      ...productsWithoutPrice.map(
        (one) =>
          `The product ${one.storeProductId} of a test app has no price, so that no SDK can show it. Add a price.`,
      ),
      ...offeringsWithoutProduct.map((one) => `The offering ${one.lookupKey} has no product for one of the apps.`),
      ...failingWebhooks.map(
        ({ name, webhookId, lastStatus }) =>
          `The webhook ${name ?? webhookId} has been failing (${lastStatus === null ? 'no response' : `last status ${lastStatus}`}).`,
      ),
      ...chartsInPreparation.map(
        ({ environment, currency, progress }) =>
          `Charts with filters (${environment}, ${currency ?? 'USD'}) are being prepared: ${Math.floor(progress * 100)} %.`,
      ),
    ].map((text) => ({ text, action: null })),
  ];
  if (problems.length === 0) return null;
  return (
    <section class="note" aria-labelledby="problems-title">
      <h2 id="problems-title">To do</h2>
      <ul>
        {problems.map(({ text, action }) => (
          <li key={text}>
            {text} {action}
          </li>
        ))}
      </ul>
    </section>
  );
}

export function SdkCalls({ calls }: { readonly calls: Evidence['sdkCalls'] }) {
  const { versions, firstReceiptAt, lastRefusedReceipt } = calls;
  if (versions.length === 0) return null;
  return (
    <section class="card" aria-labelledby="sdks-title">
      <h2 id="sdks-title">SDKs of the compatibility API</h2>
      <ul>
        {versions.map((one) => (
          <li key={JSON.stringify([one.platform, one.flavor, one.sdkVersion, one.appVersion])}>
            {one.platform ?? 'unknown platform'} {one.flavor !== 'native' && one.flavor} SDK{' '}
            {one.sdkVersion ?? 'unknown'}, app {one.appVersion ?? 'unknown'}: last call{' '}
            <Time at={one.lastCallAt} isAgo />
          </li>
        ))}
      </ul>
      {firstReceiptAt !== null && (
        <p>
          First receipt <Time at={firstReceiptAt} isAgo />.
        </p>
      )}
      {lastRefusedReceipt !== null && (
        <p>
          <span class="badge warn">{lastRefusedReceipt.status}</span> Last refused receipt{' '}
          <Time at={lastRefusedReceipt.at} isAgo />: {lastRefusedReceipt.reason}
        </p>
      )}
    </section>
  );
}
