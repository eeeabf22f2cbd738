// Callers of requests: access levels of routes, authenticated callers, and their project.
import type { Actor } from '../../domain/envelope.js';
import type { KeyScope, Role } from '../../domain/project/roles.js';
import type { ApiKeyDoc } from '../../projections/models/projects.js';

/**
 * Callers that a route accepts. `open`: the credential, if any, is in path or body. `user`: a logged-in user. `account`: a user or a secret
 * key. `accountUser`: a user; keys get 403. `project`: a member or a secret key of the project in the path. `projectUser`: a member; keys
 * get 403. `sdk`: any key, or a user with the project in `X-Project-Id`. `sdkSecret`: the same without public keys. `sdkKey`: any key;
 * users get 401.
 */
export type Access = AccountAccess | ProjectAccess;
/** Access without a project, so that no role is required. */
export type AccountAccess = 'open' | 'user' | 'account' | 'accountUser';
export type ProjectAccess = 'project' | 'projectUser' | 'sdk' | 'sdkSecret' | 'sdkKey';

export type Caller =
  | { readonly kind: 'nobody' }
  | { readonly kind: 'user'; readonly userId: string; readonly sessionId: string }
  | ({ readonly kind: 'key' } & Pick<ApiKeyDoc, 'keyId' | 'projectId' | 'appId'> & {
        readonly keyKind: ApiKeyDoc['kind'];
        /** Scopes of a secret key; empty for a public key. */
        readonly scopes: readonly KeyScope[];
      });

/** Project of the request and the caller's role in it; both empty for requests without a project. A key has the role of an owner. */
export type Scope = { readonly projectId: string; readonly role: '' | Role };

export function actorOf(caller: Caller): Actor {
  switch (caller.kind) {
    case 'user':
      return { kind: 'user', id: caller.userId };
    case 'key':
      return { kind: 'api_key', id: caller.keyId };
    case 'nobody':
      return { kind: 'system', id: 'http' };
  }
}

/** Returns the app of a public key; null for other callers. */
export function ownAppIdOf(caller: Caller): string | null {
  return caller.kind === 'key' ? caller.appId : null;
}

export function isPublicKey(caller: Caller): boolean {
  return caller.kind === 'key' && caller.keyKind === 'public';
}

/** Returns false for a public key: anybody can extract it from the app, so what it writes about a customer is unverified. */
export function isTrusted(caller: Caller): boolean {
  return caller.kind === 'user' || (caller.kind === 'key' && caller.keyKind === 'secret');
}
