// Events, state and rules of paywalls: opaque documents that apps display to sell an offering. Each offering has at most one published.
import { z } from 'zod';
import { Rejection } from '../errors.js';
import { defineEvent, remaining, type EventOf } from '../events.js';
import { digestOf, jsonObject, type JsonObject } from '../values/json-object.js';
import { change, changeOf, documentChange } from '../changes.js';
import type { Offerings } from './offerings.js';

export const paywallStatus = z.enum(['draft', 'published']);

export const paywallEvents = {
  PaywallCreated: defineEvent('PaywallCreated', {
    paywallId: z.string(),
    offeringId: z.string(),
    name: z.string(),
    config: jsonObject,
    defaultLocale: z.string(),
    localizations: jsonObject,
    status: paywallStatus,
  }),
  PaywallUpdated: defineEvent('PaywallUpdated', {
    paywallId: z.string(),
    changes: z.strictObject({
      offeringId: changeOf(z.string()),
      name: changeOf(z.string()),
      config: documentChange,
      defaultLocale: changeOf(z.string()),
      localizations: documentChange,
      status: changeOf(paywallStatus),
    }),
  }),
  PaywallDeleted: defineEvent('PaywallDeleted', { paywallId: z.string(), offeringId: z.string() }),
};
export type PaywallEvent = EventOf<typeof paywallEvents>;
type DataOf<T extends PaywallEvent['type']> = Extract<PaywallEvent, { type: T }>['data'];
export type NewPaywall = DataOf<'PaywallCreated'>;

/** State of a paywall. It contains only digests of its documents, because the state of every project is in memory. */
type Paywall = Omit<NewPaywall, 'config' | 'localizations'> & {
  readonly configDigest: string;
  readonly localizationsDigest: string;
};
export type Paywalls = { readonly paywalls: readonly Paywall[] };
export const noPaywalls: Paywalls = { paywalls: [] };

export type PaywallChanges = {
  readonly offeringId?: string | undefined;
  readonly name?: string | undefined;
  readonly config?: JsonObject | undefined;
  readonly defaultLocale?: string | undefined;
  readonly localizations?: JsonObject | undefined;
  readonly status?: Paywall['status'] | undefined;
};

export type PaywallCommand =
  | { readonly kind: 'createPaywall'; readonly paywall: NewPaywall }
  | { readonly kind: 'updatePaywall'; readonly paywallId: string; readonly set: PaywallChanges }
  | { readonly kind: 'deletePaywall'; readonly paywallId: string };

export const MAX_PAYWALLS = 100;

type State = Paywalls & Offerings;

export function evolvePaywalls<S extends Paywalls>(state: S, event: PaywallEvent): S {
  switch (event.type) {
    case 'PaywallCreated': {
      const { config, localizations, ...data } = event.data;
      const digests = { configDigest: digestOf(config), localizationsDigest: digestOf(localizations) };
      return { ...state, paywalls: [...state.paywalls, { ...data, ...digests }] };
    }
    case 'PaywallUpdated': {
      const { paywallId, changes } = event.data;
      return {
        ...state,
        paywalls: state.paywalls.map((p) => (p.paywallId === paywallId ? applyChanges(p, changes) : p)),
      };
    }
    case 'PaywallDeleted':
      return { ...state, paywalls: state.paywalls.filter((p) => p.paywallId !== event.data.paywallId) };
    default:
      remaining<never>(event);
      return state;
  }
}

function applyChanges(p: Paywall, c: DataOf<'PaywallUpdated'>['changes']): Paywall {
  return {
    ...p,
    offeringId: c.offeringId?.to ?? p.offeringId,
    name: c.name?.to ?? p.name,
    configDigest: c.config ? digestOf(c.config.to) : p.configDigest,
    defaultLocale: c.defaultLocale?.to ?? p.defaultLocale,
    localizationsDigest: c.localizations ? digestOf(c.localizations.to) : p.localizationsDigest,
    status: c.status?.to ?? p.status,
  };
}

export function decidePaywall(c: PaywallCommand, state: State): PaywallEvent[] {
  switch (c.kind) {
    case 'createPaywall':
      return createPaywall(c.paywall, state);
    case 'updatePaywall':
      return updatePaywall(requirePaywall(state, c.paywallId), c.set, state);
    case 'deletePaywall': {
      const { paywallId, offeringId } = requirePaywall(state, c.paywallId);
      return [paywallEvents.PaywallDeleted.of({ paywallId, offeringId })];
    }
  }
}

function createPaywall(paywall: NewPaywall, state: State): PaywallEvent[] {
  if (state.paywalls.some((p) => p.paywallId === paywall.paywallId)) return [];
  checkOffering(state, paywall.offeringId);
  if (state.paywalls.length >= MAX_PAYWALLS) {
    const message = `a project can have at most ${MAX_PAYWALLS} paywalls; delete one first`;
    throw new Rejection('conflict', 'too-many-paywalls', message);
  }
  return [...unpublishFormer(paywall, state), paywallEvents.PaywallCreated.of(paywall)];
}

function updatePaywall(paywall: Paywall, set: PaywallChanges, state: State): PaywallEvent[] {
  if (set.offeringId !== undefined) checkOffering(state, set.offeringId);
  const { paywallId } = paywall;
  const offeringId = change(paywall.offeringId, set.offeringId);
  const name = change(paywall.name, set.name);
  const config = documentChangeOf(paywall.configDigest, set.config);
  const defaultLocale = change(paywall.defaultLocale, set.defaultLocale);
  const localizations = documentChangeOf(paywall.localizationsDigest, set.localizations);
  const status = change(paywall.status, set.status);
  const changes = {
    ...(offeringId && { offeringId }),
    ...(name && { name }),
    ...(config && { config }),
    ...(defaultLocale && { defaultLocale }),
    ...(localizations && { localizations }),
    ...(status && { status }),
  };
  if (Object.keys(changes).length === 0) return [];
  const after = applyChanges(paywall, changes);
  return [...unpublishFormer(after, state), paywallEvents.PaywallUpdated.of({ paywallId, changes })];
}

/** An app displays one paywall per offering, so publishing one unpublishes the former in the same append. */
function unpublishFormer(after: Pick<Paywall, 'paywallId' | 'offeringId' | 'status'>, state: State): PaywallEvent[] {
  if (after.status !== 'published') return [];
  return state.paywalls
    .filter((p) => p.paywallId !== after.paywallId && p.offeringId === after.offeringId && p.status === 'published')
    .map(({ paywallId }) => {
      const changes = { status: { from: 'published' as const, to: 'draft' as const } };
      return paywallEvents.PaywallUpdated.of({ paywallId, changes });
    });
}

function documentChangeOf(digest: string, to: JsonObject | undefined): { readonly to: JsonObject } | undefined {
  return to === undefined || digestOf(to) === digest ? undefined : { to };
}

function checkOffering({ offerings }: Offerings, offeringId: string): void {
  if (offerings.some((o) => o.offeringId === offeringId)) return;
  throw new Rejection('invalid', 'offering-unknown', 'offeringId is not an offering of this project');
}

function requirePaywall({ paywalls }: Paywalls, paywallId: string): Paywall {
  const paywall = paywalls.find((p) => p.paywallId === paywallId);
  if (!paywall) throw new Rejection('missing', 'paywall-unknown', 'paywall not found in this project');
  return paywall;
}
