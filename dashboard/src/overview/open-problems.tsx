// Open problems, each with a button that ends it where one can: questions of the stores before they lapse, halted charts, parked and refused
// notifications, products that unlock nothing, refused or expiring credentials, and webhooks that fail or were disabled.
import type { ComponentChildren } from 'preact';
import { useProject } from '../context/project';
import { count } from '../parts/format';
import { Link } from '../parts/link';
import { lazy } from '../parts/lazy';
import { QueryView } from '../parts/states';
import { Time } from '../parts/time';
import { storeName, withStoreNames } from '../names/stores';
import { useProductNames } from '../names/products';
import { useProducts } from '../setup/lists';
import { unknownProducts } from './unknown-products';
import { MAX_COUNTED, useProblems, type Problems } from './use-problems';
import { useRecentTransactions } from './use-recent-transactions';

const AnswerRefund = lazy(async () => (await import('./answer-refund')).AnswerRefund);
const AddProduct = lazy(async () => (await import('../setup/add-product')).AddProduct);
const AttachProduct = lazy(async () => (await import('../setup/attach-product')).AttachProduct);
const ProcessAgain = lazy(async () => (await import('./problem-actions')).ProcessAgain);
const ReplaceKey = lazy(async () => (await import('../setup/replace-key')).ReplaceKey);
const SendTest = lazy(async () => (await import('../webhooks/send-test')).SendTest);
const TurnOn = lazy(async () => (await import('./problem-actions')).TurnOn);

/** Number of problems of one kind that are shown individually. */
const MAX_SHOWN = 3;
const DISABLED_REASONS = {
  gone: 'the receiver returned 410 Gone',
  failures: 'it failed for several days',
  user: 'a member disabled it',
} as const;

const REFUND_POLICIES = {
  revoke_immediately: 'If it refunds, access ends immediately.',
  keep_until_expiry: 'If it refunds, access lasts until the paid period ends.',
} as const;

/** `action`: a button or link that ends the problem. */
type ProblemLine = { readonly id: string; readonly text: ComponentChildren; readonly action?: ComponentChildren };

/** `staleSince`: time since which the charts have halted. */
export function OpenProblems({ staleSince }: { readonly staleSince: string | undefined }) {
  const problems = useProblems();
  const { base, may } = useProject();
  const products = useProducts().data?.items;
  const recent = useRecentTransactions().data?.items ?? [];
  const unknown = products ? unknownProducts(recent, products) : [];
  return (
    <section class="card" aria-labelledby="problems-title">
      <h2 id="problems-title">Open problems</h2>
      <QueryView of={problems} what="the problems">
        {(found) => {
          const lines = [...haltedLine(staleSince), ...linesOf(found)];
          if (lines.length === 0) return <p class="all-good">None. Notifications and webhooks are working.</p>;
          return (
            <ul class="plain problems">
              {lines.map(({ id, text, action }) => (
                <li key={id}>
                  {text} {action}
                </li>
              ))}
            </ul>
          );
        }}
      </QueryView>
    </section>
  );

  function linesOf(found: Problems): readonly ProblemLine[] {
    const { requests, lapsed, parked, refused, unlocking, credentials, failing, disabled, expiring } = found;
    // A consumable is used up and needs no entitlement.
    const consumables = new Set((products ?? []).filter(({ type }) => type === 'consumable').map(({ id }) => id));
    const locked = unlocking.filter(({ productId }) => !consumables.has(productId));
    return [
      ...firstOf(requests, 'refund requests wait for an answer', (one) => ({
        id: one.id,
        text: <RefundQuestion request={one} />,
        action: <AnswerRefund question={one} />,
      })),
      ...firstOf(lapsed, 'refund requests lapsed without an answer', (one) => ({
        id: `lapsed ${one.id}`,
        text: <LapsedQuestion request={one} />,
        action: may('administer') && <Link to={`${base}/setup`}>Let the app answer by itself</Link>,
      })),
      ...(parked.length === 0 ? [] : [parkedLine(parked, base)]),
      ...(refused.length === 0 ? [] : [refusedLine(refused, base)]),
      ...firstOf(unknown, 'products are not in the catalogue', (bought) => ({
        id: `${bought.appId} ${bought.storeProductId}`,
        text: `Whoever buys ${bought.storeProductId} (${storeName(bought.store)}) gets no access: it is not in the catalogue.`,
        action: may('configure') && <AddProduct bought={bought} />,
      })),
      ...firstOf(locked, 'products unlock nothing', ({ productId, store, storeProductId }) => ({
        id: productId,
        text: `Whoever buys ${storeProductId} (${storeName(store)}) gets no access: it belongs to no entitlement.`,
        action: <AttachProduct productId={productId} name={storeProductId} />,
      })),
      ...credentials.map(({ appId, name, store, credentials: { storeError } }) => ({
        id: `credentials ${appId}`,
        text: `The ${storeName(store)} refuses the credentials of ${name}${storeError === null ? '' : `: ${storeError}`}.`,
        action: <Link to={`${base}/setup/${appId}`}>Replace them</Link>,
      })),
      ...firstOf(expiring, 'API keys expire soon', (key) => ({
        id: key.id,
        text: (
          <>
            The API key {key.name} expires <Time at={key.expiresAt ?? ''} isAgo />.
          </>
        ),
        action: <ReplaceKey apiKey={key} />,
      })),
      ...failing.map((one) => ({
        id: one.webhookId,
        text: <Failing webhook={one} />,
        action: may('configure') && <SendTest webhookId={one.webhookId} />,
      })),
      ...disabled.map((one) => ({
        id: one.id,
        text: <Disabled webhook={one} />,
        action: <TurnOn webhookId={one.id} />,
      })),
    ];
  }
}

/** Shows the first ones, and how many there are besides. */
function firstOf<T>(all: readonly T[], what: string, line: (one: T) => ProblemLine): readonly ProblemLine[] {
  const others = all.length - MAX_SHOWN;
  const rest = others > 0 ? [{ id: what, text: `${count(others)} more ${what}.` }] : [];
  return [...all.slice(0, MAX_SHOWN).map(line), ...rest];
}

function haltedLine(staleSince: string | undefined): readonly ProblemLine[] {
  if (staleSince === undefined) return [];
  const text = (
    <span role="alert">
      The charts have stopped updating: nothing recorded since <Time at={staleSince} /> is included. Run{' '}
      <code>subledger doctor</code>.
    </span>
  );
  return [{ id: 'halted', text }];
}

function RefundQuestion({ request }: { readonly request: Problems['requests'][number] }) {
  const { base } = useProject();
  const { customerId, appUserId, transactionId, respondBy, policy, store } = request;
  const names = useProductNames();
  return (
    <>
      The {storeName(store)} asks about a refund of {names.nameOf(request)}, transaction {transactionId}, of{' '}
      <Link to={`${base}/customers/${customerId}`}>{appUserId ?? 'a customer'}</Link>. The question lapses{' '}
      <Time at={respondBy} isAgo />. {policy !== null && REFUND_POLICIES[policy]}
    </>
  );
}

function LapsedQuestion({ request }: { readonly request: Problems['lapsed'][number] }) {
  const { base } = useProject();
  const { customerId, appUserId, transactionId, respondBy, store } = request;
  const names = useProductNames();
  return (
    <>
      Nobody answered the question of the {storeName(store)} about a refund of {names.nameOf(request)}, transaction{' '}
      {transactionId}, of <Link to={`${base}/customers/${customerId}`}>{appUserId ?? 'a customer'}</Link>: it lapsed{' '}
      <Time at={respondBy} isAgo />.
    </>
  );
}

type NotificationItems = Problems['parked'];

function parkedLine(parked: NotificationItems, base: string): ProblemLine {
  return {
    id: 'parked',
    text: (
      <>
        <Link to={`${base}/notifications?state=parked`}>
          {notificationCount(parked)} {parked.length === 1 ? 'is' : 'are'} parked
        </Link>{' '}
        by an internal error. Retry after an update.
      </>
    ),
    action: <ProcessAgain ids={parked.map(({ id }) => id)} />,
  };
}

function refusedLine(refused: NotificationItems, base: string): ProblemLine {
  const [newest] = refused;
  return {
    id: 'refused',
    text: (
      <>
        <Link to={`${base}/notifications?state=refused`}>
          {notificationCount(refused)} {refused.length === 1 ? 'was' : 'were'} refused
        </Link>{' '}
        in the last 7 days
        {newest &&
          newest.reason !== null &&
          `, the latest, of the ${storeName(newest.store)}, because: ${withStoreNames(newest.reason)}`}
        .
      </>
    ),
    action: <ProcessAgain ids={refused.map(({ id }) => id)} />,
  };
}

function notificationCount({ length }: NotificationItems): string {
  if (length === 1) return '1 notification';
  return `${count(length)}${length >= MAX_COUNTED ? ' or more' : ''} notifications`;
}

function Failing({ webhook }: { readonly webhook: Problems['failing'][number] }) {
  const { base } = useProject();
  const { webhookId, name, since, lastStatus } = webhook;
  return (
    <>
      <Link to={`${base}/webhooks/${webhookId}`}>The webhook {name ?? webhookId} has been failing</Link> since{' '}
      <Time at={since} />
      {lastStatus === null ? ': no response.' : `: it returned ${lastStatus}.`}
    </>
  );
}

function Disabled({ webhook }: { readonly webhook: Problems['disabled'][number] }) {
  const { base } = useProject();
  const { id, name, url, disabledReason } = webhook;
  return (
    <>
      <Link to={`${base}/webhooks/${id}`}>The webhook {name ?? url} is disabled</Link>
      {disabledReason && `: ${DISABLED_REASONS[disabledReason]}`}.
    </>
  );
}
