// Who may call, who does, and on which project.
import type { Actor } from '../../domain/envelope.js';
import type { ApiKeyDoc, MembershipDoc } from '../../projections/models/projects.js';

/**
 * Who may call. `open`: the credential, if any, is in path or body. `user`: a logged-in user. `account`: a user or a secret key.
 * `accountUser`: a user; keys get 403. `project`: a member or a secret key of the project in the path. `projectUser`: a member; keys
 * get 403. `sdk`: any key, or a user who names the project in `X-Project-Id`. `sdkSecret`: the same without public keys. `sdkKey`: any
 * key; users get 401.
 */
export type Access =
  'open' | 'user' | 'account' | 'accountUser' | 'project' | 'projectUser' | 'sdk' | 'sdkSecret' | 'sdkKey';

export type Caller =
  | { readonly kind: 'nobody' }
  | { readonly kind: 'user'; readonly userId: string; readonly sessionId: string }
  | ({ readonly kind: 'key' } & Pick<ApiKeyDoc, 'keyId' | 'projectId' | 'appId'> & {
        readonly keyKind: ApiKeyDoc['kind'];
        readonly isReadOnly: boolean;
      });

/** The project that the request is about and the caller's role in it; empty for requests about none. A key acts as its owner. */
export type Scope = { readonly projectId: string; readonly role: '' | MembershipDoc['role'] };

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
