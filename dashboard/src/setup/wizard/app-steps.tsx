// Steps that connect an app, each with the evidence that it works.
import type { ComponentChildren } from 'preact';
import type { Schemas } from '../../api/client';
import { notificationWords } from '../../names/notifications';
import { withStoreNames } from '../../names/stores';
import { wordsOf } from '../../parts/format';
import { Time } from '../../parts/time';
import { keyOf } from '../catalogue';
import { useApiKeys, useEntitlements, useOfferings, useProducts, useSetupStatus } from '../lists';

type App = Schemas['App'];
export type StepId = 'notifications' | 'credentials' | 'product' | 'offering' | 'key' | 'purchase';
export type AppStep = {
  readonly id: StepId;
  readonly title: string;
  readonly isDone: boolean;
  readonly evidence: ComponentChildren;
};

/** Interval of the evidence's updates while someone waits for it. */
const EVERY_MS = 3000;

/** Returns the steps in their order; undefined while the evidence is loading. */
export function useAppSteps(app: App): readonly AppStep[] | undefined {
  const status = useSetupStatus(EVERY_MS).data;
  const products = useProducts().data?.items.filter(({ appId }) => appId === app.id);
  const entitlements = useEntitlements().data?.items;
  const offerings = useOfferings().data?.items;
  const keys = useApiKeys().data?.items;
  if (!status || !products || !entitlements || !offerings || !keys) return undefined;
  const { evidence, steps } = status;
  const own = evidence.apps.find(({ appId }) => appId === app.id);
  const isPriced = (product: Schemas['Product']) => app.platform !== 'test' || product.prices.length > 0;
  const unlocking = products.find((one) => one.entitlementIds.length > 0 && isPriced(one));
  const isOffered = !evidence.offeringsWithoutProduct.some(({ appId }) => appId === app.id);
  const offering = offerings.find(({ isCurrent }) => isCurrent);
  const hasPackage = steps.some(({ id, done }) => id === 'create_offering_with_package' && done);
  const key = keys.find(({ appId }) => appId === app.id);
  const purchasedAt = steps.find(({ id }) => id === 'first_purchase')?.doneAt ?? null;
  return [
    ...(own ? storeSteps(own) : []),
    {
      id: 'product',
      title: 'Add a product and what it unlocks',
      isDone: unlocking !== undefined,
      evidence: unlocking && (
        <>
          {unlocking.displayName} unlocks{' '}
          {unlocking.entitlementIds.map((entitlement) => keyOf(entitlements, entitlement)).join(', ')}
        </>
      ),
    },
    {
      id: 'offering',
      title: 'Offer it in the app',
      isDone: hasPackage && isOffered && offering !== undefined,
      evidence: offering && <>{offering.displayName} is the current offering</>,
    },
    {
      id: 'key',
      title: 'Give the app its API key',
      isDone: key !== undefined,
      evidence: key && (
        <>
          {key.name}, <code>{key.keyPreview}</code>
        </>
      ),
    },
    {
      id: 'purchase',
      title: 'See the first purchase',
      isDone: purchasedAt !== null,
      evidence: purchasedAt && (
        <>
          First purchase of the project <Time at={purchasedAt} isAgo />
        </>
      ),
    },
  ];
}

type StoreEvidence = Schemas['SetupEvidence']['apps'][number];

function storeSteps({ lastNotification, credentials }: StoreEvidence): readonly AppStep[] {
  return [
    {
      id: 'notifications',
      title: 'Receive a notification from the store',
      isDone: lastNotification !== null,
      evidence: lastNotification && <NotificationEvidence of={lastNotification} />,
    },
    {
      id: 'credentials',
      title: 'Add store credentials',
      isDone: credentials.configured,
      evidence: credentials.configured && <CredentialEvidence of={credentials} />,
    },
  ];
}

export function NotificationEvidence({ of }: { readonly of: NonNullable<StoreEvidence['lastNotification']> }) {
  return (
    <>
      {notificationWords(of.type)} <Time at={of.at} isAgo />, {wordsOf(of.state)}
      {of.reason && `: ${withStoreNames(of.reason)}`}
    </>
  );
}

export function CredentialEvidence({ of }: { readonly of: StoreEvidence['credentials'] }) {
  if (of.storeError) return <>The store returned “{of.storeError}”</>;
  if (!of.provenAt) return <>Stored; not used yet</>;
  return (
    <>
      Worked <Time at={of.provenAt} isAgo />
    </>
  );
}
