// Projects, who belongs to them, their apps and their API keys.
import type { RecordedEvent } from '../domain/envelope.js';
import type { App, ProjectEvent } from '../domain/project/events.js';
import { ofFamily } from './events-of.js';
import { replace, type Projection } from './projection.js';

export type ProjectDoc = {
  readonly projectId: string;
  readonly name: string;
  readonly ownerId: string;
  readonly transferBehavior: string;
  readonly sandboxAccess: string;
  readonly displayCurrency: string;
  readonly createdAt: string;
  readonly updatedAt: string;
};

export type MembershipDoc = { readonly userId: string; readonly projectId: string; readonly role: 'owner' };

export const membershipId = (projectId: string, userId: string): string => `${projectId}|${userId}`;

const projectEvent = (event: RecordedEvent) => ofFamily<ProjectEvent>(event, 'project');

export const projects: Projection<ProjectDoc> = {
  name: 'projects',
  version: 1,
  families: ['project'],
  indexes: [],
  onPoison: 'park',
  keys: (event) => (event.type === 'ProjectCreated' ? [projectIdOf(event)] : []),
  fold: (doc, stored) => {
    const event = projectEvent(stored);
    if (event?.type !== 'ProjectCreated') return doc;
    return { ...event.data, createdAt: event.meta.at, updatedAt: event.meta.at };
  },
  derived: [
    {
      name: 'memberships',
      indexes: [{ name: 'user', fields: ['userId', 'projectId'] }],
      of: (doc) => {
        if (!doc) return new Map();
        const { ownerId, projectId } = doc;
        return new Map([[membershipId(projectId, ownerId), { userId: ownerId, projectId, role: 'owner' }]]);
      },
      apply: replace,
    },
  ],
};

export type AppDoc = App & { readonly projectId: string; readonly createdAt: string; readonly updatedAt: string };

export const apps: Projection<AppDoc> = {
  name: 'apps',
  version: 1,
  families: ['project'],
  indexes: [{ name: 'project', fields: ['projectId', 'appId'] }],
  onPoison: 'park',
  keys: (stored) => {
    const event = projectEvent(stored);
    return event?.type === 'AppRegistered' ? [event.data.appId] : [];
  },
  fold: (doc, stored) => {
    const event = projectEvent(stored);
    if (event?.type !== 'AppRegistered') return doc;
    return { ...event.data, projectId: projectIdOf(event), createdAt: event.meta.at, updatedAt: event.meta.at };
  },
  derived: [],
};

export type ApiKeyDoc = {
  readonly projectId: string;
  readonly keyId: string;
  readonly name: string;
  readonly kind: 'secret' | 'public';
  readonly appId: string | null;
  readonly prefix: string;
  readonly last4: string;
  readonly scopes: readonly 'read'[];
  readonly expiresAt: string | null;
  readonly createdAt: string;
};

/** One document per key under the SHA-256 of its value: the look-up of every request that carries a key. */
export const apiKeys: Projection<ApiKeyDoc> = {
  name: 'api_keys',
  version: 1,
  families: ['project'],
  indexes: [{ name: 'project', fields: ['projectId', 'keyId'] }],
  onPoison: 'park',
  keys: (stored) => {
    const event = projectEvent(stored);
    return event?.type === 'ApiKeyCreated' || event?.type === 'ApiKeyDeleted' ? [event.data.sha256] : [];
  },
  fold: (doc, stored) => {
    const event = projectEvent(stored);
    if (event?.type === 'ApiKeyDeleted') return null;
    if (event?.type !== 'ApiKeyCreated') return doc;
    const { sha256, ...key } = event.data;
    return { ...key, projectId: projectIdOf(event), createdAt: event.meta.at };
  },
  derived: [],
};

function projectIdOf(event: RecordedEvent): string {
  return event.stream.slice('project-'.length);
}
