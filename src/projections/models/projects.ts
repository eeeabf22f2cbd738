// Projects with their members, their apps and their API keys.
import { withChanges } from '../../domain/changes.js';
import type { RecordedEvent } from '../../domain/envelope.js';
import { type ProjectConcern, touches } from '../../domain/events.js';
import {
  projectEvents,
  type App,
  type ProjectData,
  type ProjectEvent,
  type TransferBehavior,
  type MemberEventName,
} from '../../domain/project/events.js';
import type { KeyScope, Role } from '../../domain/project/roles.js';
import { streams } from '../../domain/streams.js';
import { defineProjection, replace, type Projection } from '../runtime/projection.js';
import { ofFamily } from '../../domain/vocabulary.js';

export type ProjectDoc = {
  readonly projectId: string;
  readonly name: string;
  readonly ownerId: string;
  readonly transferBehavior: TransferBehavior;
  readonly sandboxAccess: 'anybody' | 'nobody';
  readonly displayCurrency: string;
  /** Missing: UTC. */
  readonly timezone?: string | undefined;
  readonly isDemo?: boolean | undefined;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Members in the order in which they joined. */
  readonly members: readonly ProjectMember[];
  /** Invitations that are neither used nor revoked, oldest first; some may have expired. */
  readonly invitations: readonly OpenInvitation[];
};

export type ProjectMember = { readonly userId: string; readonly role: Role; readonly joinedAt: string };
/** `email` null: erased. */
export type OpenInvitation = ProjectData<'MemberInvited'> & { readonly invitedAt: string };
export type MembershipDoc = { readonly userId: string; readonly projectId: string; readonly role: Role };

export const membershipId = (projectId: string, userId: string): string => `${projectId}|${userId}`;

/** Returns the project event if it touches the concern, or null. */
function eventTouching<C extends ProjectConcern>(stored: RecordedEvent, concern: C) {
  const event = ofFamily(stored, 'project');
  return event && touches(projectEvents, event, concern) ? event : null;
}

/** A deleted project has no document and no members, so that it and everything that belongs to it is not found. */
export const projects: Projection<ProjectDoc> = defineProjection({
  name: 'projects',
  version: 4,
  families: ['project'],
  indexes: [],
  select: (stored) => eventTouching(stored, 'project'),
  keys: (event) => [projectIdOf(event)],
  fold: (doc, event) => {
    const at = event.meta.at;
    switch (event.type) {
      case 'ProjectCreated':
        return {
          ...event.data,
          createdAt: at,
          updatedAt: at,
          members: [{ userId: event.data.ownerId, role: 'owner', joinedAt: at }],
          invitations: [],
        };
      case 'ProjectUpdated':
        return doc && { ...withChanges(doc, event.data.changes), updatedAt: at };
      case 'ProjectDeleted':
        return null;
      case 'MemberInvited':
      case 'InvitationWithdrawn':
      case 'MemberJoined':
      case 'MemberRoleChanged':
      case 'MemberRemoved':
        return doc && foldMembers(doc, event, at);
    }
  },
  derived: [
    {
      name: 'memberships',
      indexes: [{ name: 'user', fields: ['userId', 'projectId'] }],
      of: (doc) => {
        if (!doc) return new Map();
        const { members, projectId } = doc;
        return new Map(
          members.map(({ userId, role }) => [membershipId(projectId, userId), { userId, projectId, role }]),
        );
      },
      apply: replace,
    },
  ],
  personal: (doc, replaceField) => {
    if (doc.invitations.length === 0) return doc;
    const invitations = doc.invitations.map((i) => {
      const { email, emailKey } = i;
      return email === null ? i : { ...i, email: replaceField(streams.user(emailKey), 'email', email) ?? null };
    });
    return { ...doc, invitations };
  },
});

function foldMembers(doc: ProjectDoc, event: Extract<ProjectEvent, { type: MemberEventName }>, at: string): ProjectDoc {
  const { members, invitations } = doc;
  const without = (invitationId: string) => invitations.filter((i) => i.invitationId !== invitationId);
  switch (event.type) {
    case 'MemberInvited': {
      const others = invitations.filter((i) => i.emailKey !== event.data.emailKey);
      return { ...doc, invitations: [...others, { ...event.data, invitedAt: at }] };
    }
    case 'InvitationWithdrawn':
      return { ...doc, invitations: without(event.data.invitationId) };
    case 'MemberJoined': {
      const { userId, role, invitationId } = event.data;
      return { ...doc, invitations: without(invitationId), members: [...members, { userId, role, joinedAt: at }] };
    }
    case 'MemberRoleChanged': {
      const { userId, to: role } = event.data;
      return { ...doc, members: members.map((m) => (m.userId === userId ? { ...m, role } : m)) };
    }
    case 'MemberRemoved':
      return { ...doc, members: members.filter((m) => m.userId !== event.data.userId) };
  }
}

export type AppDoc = App & { readonly projectId: string; readonly createdAt: string; readonly updatedAt: string };

export const apps: Projection<AppDoc> = defineProjection({
  name: 'apps',
  version: 2,
  families: ['project'],
  indexes: [{ name: 'project', fields: ['projectId', 'appId'] }],
  select: (stored) => eventTouching(stored, 'apps'),
  keys: (event) => [event.data.appId],
  fold: (doc, event) => {
    const at = event.meta.at;
    switch (event.type) {
      case 'AppRegistered':
        return { ...event.data, projectId: projectIdOf(event), createdAt: at, updatedAt: at };
      case 'AppSettingsUpdated':
        return doc && { ...withChanges(doc, event.data.changes), updatedAt: at };
      case 'AppDeleted':
        return null;
    }
  },
});

export type ApiKeyDoc = {
  readonly projectId: string;
  readonly keyId: string;
  readonly name: string;
  readonly kind: 'secret' | 'public';
  readonly appId: string | null;
  readonly prefix: string;
  readonly last4: string;
  /** Scopes of the key; empty: all. */
  readonly scopes: readonly KeyScope[];
  readonly expiresAt: string | null;
  readonly createdAt: string;
};

/** One document per key with the SHA-256 of its value as id: the lookup of every request with an API key. */
export const apiKeys: Projection<ApiKeyDoc> = defineProjection({
  name: 'api_keys',
  version: 1,
  families: ['project'],
  indexes: [{ name: 'project', fields: ['projectId', 'keyId'] }],
  select: (stored) => eventTouching(stored, 'keys'),
  keys: (event) => [event.data.sha256],
  fold: (_doc, event) => {
    switch (event.type) {
      case 'ApiKeyCreated': {
        const { sha256, ...key } = event.data;
        return { ...key, projectId: projectIdOf(event), createdAt: event.meta.at };
      }
      case 'ApiKeyDeleted':
        return null;
    }
  },
});

function projectIdOf(event: RecordedEvent): string {
  return event.stream.slice('project-'.length);
}
