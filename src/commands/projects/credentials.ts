// Credentials of an app for requests to its store. Records with sealed secrets; the events contain only their existence and a fingerprint.
import { scanPages, readRecord, updateRecord } from '../../adapters/documents/records.js';
import { requireApp, requireAppOf } from '../../domain/project/decide-app.js';
import { Rejection } from '../../domain/errors.js';
import { streams } from '../../domain/streams.js';
import { storeKindOf, type StoreKind } from '../../domain/store-kinds.js';
import { isoFromMs } from '../../domain/time.js';
import { openForApp, sealForApp, type AppRef } from './app-secrets.js';
import type { CheckedKey } from './credential-keys.js';
import { deleteCredentialsCheck } from './credential-checks.js';
import type { Deps, Requester } from '../handling/deps.js';
import { lockKeys } from '../handling/keyed-mutex.js';
import { wakeStoreTasks } from '../stores/tasks.js';
import { rotateStoreToken } from './store-tokens.js';
import { runProjectCommand } from './run-project-command.js';

export const credentialCollection = {
  name: 'app_credentials',
  indexes: [{ name: 'project', fields: ['projectId'] }],
};

const PAGE = 500;

export type CredentialsRecord = { readonly store: StoreKind; readonly createdAt: string; readonly terms: Terms };

/** Parts that may be shown again: IDs, addresses, settings. */
export type Terms = { readonly [name: string]: string | number | null };

export type NewCredentials = CheckedKey & {
  readonly store: StoreKind;
  readonly field: string;
  readonly terms: Terms;
};

/**
 * Replaces the previous credentials. The record is written before the event: a crash in between leaves working credentials that a repeat
 * records. Registering again after a deletion also gives the app a new notification address.
 */
export function registerCredentials(
  deps: Deps,
  by: Requester,
  projectId: string,
  appId: string,
  o: NewCredentials,
): Promise<CredentialsRecord> {
  const { store, fingerprint, field, secret, terms } = o;
  return deps.mutex.run(lockKeys.credentials(appId), async () => {
    const project = await deps.projects.get(streams.project(projectId));
    if (!project) throw new Rejection('missing', 'project-unknown', 'project not found');
    requireAppOf(store, requireApp(project, appId));
    const wereDeleted = project.credentials.some((c) => c.appId === appId && c.fingerprint === null);
    if (wereDeleted) await rotateStoreToken(deps, { projectId, appId, store });
    const createdAt = isoFromMs(deps.runtime.now());
    const sealed = await sealForApp(deps, { projectId, appId }, field, secret);
    const record = { projectId, appId, store, fingerprint, createdAt, terms, [field]: sealed };
    await updateRecord(deps.docs, credentialCollection.name, appId, () => record);
    const known = project.credentials.find((c) => c.appId === appId)?.fingerprint ?? null;
    if (known !== fingerprint) await deleteCredentialsCheck(deps, appId);
    await runProjectCommand(deps, by, projectId, {
      kind: 'registerCredentials',
      credentials: { appId, store, fingerprint },
    });
    // The same key needs no new event, but its settings may have been corrected.
    if (known === fingerprint) await wakeStoreTasks(deps, appId);
    return { store, createdAt, terms };
  });
}

/** Deletes the secret first: a crash in between leaves nothing usable. Throws {@link Rejection} when there are none. */
export function deleteCredentials(deps: Deps, by: Requester, projectId: string, appId: string): Promise<void> {
  return deps.mutex.run(lockKeys.credentials(appId), async () => {
    const project = await deps.projects.get(streams.project(projectId));
    if (!project) throw new Rejection('missing', 'project-unknown', 'project not found');
    requireApp(project, appId);
    const wasThere = await deleteStoredCredentials(deps, appId);
    const { eventIds } = await runProjectCommand(deps, by, projectId, { kind: 'deleteCredentials', appId });
    if (wasThere || eventIds.length > 0) return;
    throw new Rejection('missing', 'credentials-unknown', 'the app has no credentials');
  });
}

export async function findCredentials({ docs }: Pick<Deps, 'docs'>, appId: string): Promise<CredentialsRecord | null> {
  const { doc } = await readRecord(docs, credentialCollection.name, appId);
  if (!doc) return null;
  return { store: storeKindOf(doc['store']), createdAt: String(doc['createdAt']), terms: doc['terms'] as Terms };
}

/** Returns the secret registered under this name with its terms, or null. */
export async function openCredentials(
  deps: Deps,
  app: AppRef,
  field: string,
): Promise<{ readonly secret: string; readonly terms: unknown } | null> {
  const { doc } = await readRecord(deps.docs, credentialCollection.name, app.appId);
  const sealed = doc?.[field];
  return typeof sealed === 'string'
    ? { secret: await openForApp(deps, app, field, sealed), terms: doc?.['terms'] }
    : null;
}

/** Returns true if credentials existed. */
export async function deleteStoredCredentials({ docs }: Pick<Deps, 'docs'>, appId: string): Promise<boolean> {
  return (await updateRecord(docs, credentialCollection.name, appId, () => null)).isChanged;
}

/** Deletes the credentials of all apps of a deleted project. */
export async function deleteCredentialsOfProject(deps: Pick<Deps, 'docs'>, projectId: string): Promise<void> {
  const all = { index: 'project', eq: [projectId], limit: PAGE };
  for await (const rows of scanPages(all, (scan) => deps.docs.scan(credentialCollection.name, scan))) {
    for (const { id } of rows) await deleteStoredCredentials(deps, id);
  }
}
