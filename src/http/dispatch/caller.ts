// Who may call, who does, and on which project.
import type { Actor } from '../../domain/envelope.js';
import type { KeyScope, Role } from '../../domain/project/roles.js';
import type { ApiKeyDoc } from '../../projections/models/projects.js';

/**
 * Who may call. `open`: the credential, if any, is in path or body. `user`: a logged-in user. `account`: a user or a secret key.
 * `accountUser`: a user; keys get 403. `project`: a member or a secret key of the project in the path. `projectUser`: a member; keys
 * get 403. `sdk`: any key, or a user who names the project in `X-Project-Id`. `sdkSecret`: the same without public keys. `sdkKey`: any
 * key; users get 401.
 */
export type Access = AccountAccess | ProjectAccess;
/** About no project, so that no role is asked for. */
export type AccountAccess = 'open' | 'user' | 'account' | 'accountUser';
export type ProjectAccess = 'project' | 'projectUser' | 'sdk' | 'sdkSecret' | 'sdkKey';

export type Caller =
  | { readonly kind: 'nobody' }
  | { readonly kind: 'user'; readonly userId: string; readonly sessionId: string }
  | ({ readonly kind: 'key' } & Pick<ApiKeyDoc, 'keyId' | 'projectId' | 'appId'> & {
        readonly keyKind: ApiKeyDoc['kind'];
        /** What a secret key may; a public one has none. */
        readonly scopes: readonly KeyScope[];
      });

/** The project that the request is about and the caller's role in it; empty for requests about none. A key acts as its owner. */
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

export function isPublicKey(caller: Caller): boolean {
  return caller.kind === 'key' && caller.keyKind === 'public';
}

/** A public key can be read out of the app: what it writes about a customer is anybody's word. */
export function isTrusted(caller: Caller): boolean {
  return caller.kind === 'user' || (caller.kind === 'key' && caller.keyKind === 'secret');
}
