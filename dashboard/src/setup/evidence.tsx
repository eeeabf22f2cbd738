// Evidence of whether the setup works, with the messages of the stores.
import type { Schemas } from '../api/client';
import { wordsOf } from '../parts/format';
import { Time } from '../parts/time';

type Status = Schemas['SetupStatus']['evidence'];

export function Evidence({ evidence }: { readonly evidence: Status }) {
  const { apps, productsWithoutEntitlement, offeringsWithoutProduct, failingWebhooks, chartsInPreparation } = evidence;
  const problems = [
    ...productsWithoutEntitlement.map(
      (one) => `The product ${one.storeProductId} unlocks nothing. Attach it to an entitlement.`,
    ),
    ...offeringsWithoutProduct.map((one) => `The offering ${one.lookupKey} has no product for one of the apps.`),
    ...failingWebhooks.map(
      (one) => `The webhook ${one.name ?? one.webhookId} has been failing (last status ${one.lastStatus ?? 'none'}).`,
    ),
    ...chartsInPreparation.map(
      ({ environment, currency, progress }) =>
        `Charts with filters (${environment}, ${currency ?? 'USD'}) are being prepared: ${Math.floor(progress * 100)} %.`,
    ),
  ];
  const { versions, firstReceiptAt, lastRefusedReceipt } = evidence.sdkCalls;
  return (
    <section class="card" aria-labelledby="health-title">
      <h2 id="health-title">Health</h2>
      {apps.length === 0 && problems.length === 0 && <p>Nothing to check yet. Register an app below.</p>}
      {apps.map(({ appId, name, store, lastNotification: last, credentials }) => (
        <article key={appId} class="health">
          <h3>
            {name} <small>{store}</small>
          </h3>
          <p>
            {last ? (
              <>
                <span class={`badge ${last.state === 'handled' ? 'good' : 'warn'}`}>{wordsOf(last.state)}</span> Last
                notification <Time at={last.at} isAgo />: {last.type}
                {last.reason && ` – ${last.reason}`}
              </>
            ) : (
              <>
                <span class="badge warn">none yet</span> No notifications received. Enter the address below in the
                store’s console.
              </>
            )}
          </p>
          <p>
            {!credentials.configured ? (
              <>
                <span class="badge">none</span> No credentials: missed notifications cannot be fetched from the store.
              </>
            ) : (
              <>
                <span class={`badge ${credentials.proven ? 'good' : 'warn'}`}>
                  {credentials.proven ? 'proven' : 'not proven'}
                </span>{' '}
                Credentials
                {credentials.provenAt && (
                  <>
                    {' '}
                    worked <Time at={credentials.provenAt} isAgo />
                  </>
                )}
                {credentials.storeError && `: the store returned “${credentials.storeError}”`}
              </>
            )}
          </p>
        </article>
      ))}
      {versions.length > 0 && (
        <article class="health">
          <h3>SDKs of the compatibility API</h3>
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
        </article>
      )}
      {problems.length > 0 && (
        <ul>
          {problems.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
    </section>
  );
}
