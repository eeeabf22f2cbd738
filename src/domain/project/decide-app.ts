// The rules of apps: the store's identifier is unique in a project, and settings and credentials match the app's store.
import { change } from '../changes.js';
import { Rejection } from '../errors.js';
import { isTestStore, rulesOfStore } from '../store-kinds.js';
import {
  isStoreApp,
  projectEvents as e,
  type App,
  type ProjectData,
  type ProjectEvent,
  type RefundAnswer,
  type RefundConsent,
} from './events.js';
import type { RefundPreference } from '../subscriber/events/blocks.js';
import type { Project } from './state.js';

export type AppChanges = {
  readonly name?: string | undefined;
  readonly notificationForwardingUrl?: string | null | undefined;
  readonly refundPolicy?: App['refundPolicy'] | undefined;
  readonly iosStoreSmallBusiness?: boolean | undefined;
  readonly refundAnswer?: RefundAnswer | undefined;
  readonly refundConsent?: RefundConsent | undefined;
};

export type AppCommand =
  | { readonly kind: 'registerApp'; readonly app: App }
  | { readonly kind: 'updateApp'; readonly appId: string; readonly set: AppChanges }
  | { readonly kind: 'deleteApp'; readonly appId: string }
  | { readonly kind: 'registerCredentials'; readonly credentials: ProjectData<'AppCredentialsRegistered'> }
  | { readonly kind: 'deleteCredentials'; readonly appId: string }
  | { readonly kind: 'registerReportSource'; readonly source: ProjectData<'ReportSourceRegistered'> }
  | { readonly kind: 'deleteReportSource'; readonly appId: string };

const MAX_APPS = 100;

export function decideApp(c: AppCommand, state: Project): ProjectEvent[] {
  switch (c.kind) {
    case 'registerApp':
      return registerApp(c.app, state);
    case 'updateApp':
      return updateApp(requireApp(state, c.appId), c.set);
    case 'deleteApp':
      return deleteApp(requireApp(state, c.appId), state);
    case 'registerCredentials': {
      const { appId, store, fingerprint } = c.credentials;
      requireAppOf(store, requireApp(state, appId));
      return fingerprintOf(state, appId) === fingerprint ? [] : [e.AppCredentialsRegistered.of(c.credentials)];
    }
    case 'deleteCredentials': {
      const app = requireApp(state, c.appId);
      const fingerprint = fingerprintOf(state, app.appId);
      if (fingerprint === null || !isStoreApp(app)) return [];
      return [e.AppCredentialsDeleted.of({ appId: app.appId, store: app.store, fingerprint })];
    }
    case 'registerReportSource': {
      const { appId, store, account, fingerprint } = c.source;
      requireAppOf(store, requireApp(state, appId));
      const known = state.reportSources.find((one) => one.appId === appId);
      const isKnown = known?.account === account && known.fingerprint === fingerprint;
      return isKnown ? [] : [e.ReportSourceRegistered.of(c.source)];
    }
    case 'deleteReportSource': {
      const app = requireApp(state, c.appId);
      const known = state.reportSources.find((one) => one.appId === app.appId);
      return known && isStoreApp(app) ? [e.ReportSourceDeleted.of({ ...known, store: app.store })] : [];
    }
  }
}

export function requireApp(state: Project, appId: string): App {
  const app = state.apps.find((a) => a.appId === appId);
  if (!app) throw new Rejection('missing', 'app-unknown', 'app not found in this project');
  return app;
}

export function requireAppOf(store: App['store'], app: App): void {
  if (app.store === store) return;
  throw new Rejection(
    'invalid',
    'wrong-store',
    `this app belongs to the ${app.store}; send credentials for that store`,
  );
}

function fingerprintOf(state: Project, appId: string): string | null {
  return state.credentials.find((c) => c.appId === appId)?.fingerprint ?? null;
}

function registerApp(app: App, state: Project): ProjectEvent[] {
  if (state.apps.some((a) => a.appId === app.appId)) return [];
  if (state.apps.some((a) => a.store === app.store && a.storeIdentifier === app.storeIdentifier)) {
    const appField = isStoreApp(app) ? rulesOfStore(app.store).appField : 'platform';
    throw new Rejection('conflict', 'app-exists', `${appField} is taken by another app of this project; use that one`);
  }
  requireAnswerOfStore(app.refundAnswer ?? 'none', app.store);
  if (state.apps.length >= MAX_APPS)
    throw new Rejection('conflict', 'too-many-apps', `a project can have at most ${MAX_APPS} apps`);
  return [e.AppRegistered.of(app)];
}

function updateApp(app: App, set: AppChanges): ProjectEvent[] {
  const hasSmallBusiness = isStoreApp(app) && rulesOfStore(app.store).hasSmallBusiness;
  if (set.iosStoreSmallBusiness !== undefined && !hasSmallBusiness) {
    const message = 'iosStoreSmallBusiness is for iOS apps only; omit it';
    throw new Rejection('invalid', 'wrong-store', message);
  }
  const name = change(app.name, set.name);
  const notificationForwardingUrl = change(app.notificationForwardingUrl, set.notificationForwardingUrl);
  const refundPolicy = change(app.refundPolicy, set.refundPolicy);
  const iosStoreSmallBusiness = change(app.iosStoreSmallBusiness, set.iosStoreSmallBusiness);
  if (set.refundAnswer !== undefined) requireAnswerOfStore(set.refundAnswer, app.store);
  const refundAnswer = change(app.refundAnswer ?? 'none', set.refundAnswer);
  const refundConsent = change(app.refundConsent ?? 'each_customer', set.refundConsent);
  const changes = {
    ...(name && { name }),
    ...(notificationForwardingUrl && { notificationForwardingUrl }),
    ...(refundPolicy && { refundPolicy }),
    ...(iosStoreSmallBusiness && { iosStoreSmallBusiness }),
    ...(refundAnswer && { refundAnswer }),
    ...(refundConsent && { refundConsent }),
  };
  return Object.keys(changes).length === 0 ? [] : [e.AppSettingsUpdated.of({ appId: app.appId, changes })];
}

function requireAnswerOfStore(answer: RefundAnswer, store: App['store']): void {
  if (answer !== 'none') requirePreferenceOfStore(answer, store, ['none']);
}

/** Throws {@link Rejection} for an answer that the store does not take. `others`: what may stand in its place. */
export function requirePreferenceOfStore(
  preference: RefundPreference,
  store: App['store'],
  others: readonly string[] = [],
): void {
  const choices: readonly string[] = isTestStore(store) ? [] : rulesOfStore(store).refundPreferences;
  if (choices.includes(preference)) return;
  const all = [...others, ...choices].join(', ');
  throw new Rejection('invalid', 'wrong-store', `the ${store} does not take ${preference}; use one of: ${all}`);
}

/** API keys that are valid only for this app are deleted with it. */
function deleteApp({ appId }: App, state: Project): ProjectEvent[] {
  const keys = state.keys.filter((k) => k.appId === appId);
  const deleted = keys.map(({ keyId, sha256 }) => e.ApiKeyDeleted.of({ keyId, sha256 }));
  return [...deleted, e.AppDeleted.of({ appId })];
}
