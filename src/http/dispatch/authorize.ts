// Authorisation: identifies the caller and the project, and applies the access matrix. The first rule that fails determines the response.
import { createLongKeyCache } from '../../adapters/bounded-cache.js';
import { isApiKey, sha256Of } from '../../commands/accounts/api-key.js';
import {
  holdersOf,
  NO_VISIBILITY,
  roleMay,
  scopesMay,
  scopesOfKey,
  visibilityOfRole,
  visibilityOfScopes,
  type Permission,
} from '../../domain/project/roles.js';
import { FULL_VISIBILITY, type FieldVisibility } from '../../domain/values/field-groups.js';
import {
  apiKeys,
  membershipId,
  projects,
  type ApiKeyDoc,
  type MembershipDoc,
} from '../../projections/models/projects.js';
import { HttpError } from '../bodies/errors.js';
import type { Access, Caller, Scope } from './caller.js';
import type { Route } from './route.js';
import type { Services } from './services.js';

const NO_PROJECT: Scope = { projectId: '', role: '' };

export type Credentials = {
  readonly authorization: string | undefined;
  readonly apiKey: string | undefined;
  /** The key may be one that another service issued and that is registered for an app. */
  readonly isRegisteredKey: boolean;
  /** Project ID in the path. */
  readonly pathProjectId: string | undefined;
  /** Project ID in `X-Project-Id`, for users on SDK paths. */
  readonly headerProjectId: string | undefined;
};

/** Resolves when keys and memberships may be read; a user's token is verified before. Rejects with {@link HttpError}. */
type WaitUntilReadable = () => Promise<void>;

/** `visibility`: fields of the response that the caller may see. */
export type AuthorizedCaller = { readonly caller: Caller; readonly scope: Scope; readonly visibility: FieldVisibility };

type RequiredAccess = Pick<Route, 'access' | 'permission'>;

/** Authorises a request. Rejects with {@link HttpError} 400, 401, 403 or 404. */
export async function authorize(
  services: Services,
  route: RequiredAccess,
  c: Credentials,
  waitUntilReadable?: WaitUntilReadable,
): Promise<AuthorizedCaller> {
  if (c.authorization !== undefined && c.apiKey !== undefined) {
    throw new HttpError(400, 'send either Authorization or X-API-Key, not both');
  }
  if (route.access === 'open') return { caller: { kind: 'nobody' }, scope: NO_PROJECT, visibility: FULL_VISIBILITY };
  if (c.apiKey === undefined) return authorizeUser(services, route, c, waitUntilReadable);
  await waitUntilReadable?.();
  const caller = keyOf(services, await findKey(services, c.apiKey, c.isRegisteredKey));
  return authorizeCaller(route, caller, scopeOfKey(caller, route.access, c));
}

async function authorizeUser(
  services: Services,
  route: RequiredAccess,
  c: Credentials,
  waitUntilReadable?: WaitUntilReadable,
): Promise<AuthorizedCaller> {
  const caller = await userOf(services, c.authorization);
  await waitUntilReadable?.();
  return authorizeCaller(route, caller, await scopeOfUser(services, caller, route.access, c));
}

function authorizeCaller({ permission }: RequiredAccess, caller: Caller, scope: Scope): AuthorizedCaller {
  if (permission) expectAllowed(caller, scope, permission);
  return { caller, scope, visibility: visibilityOf(caller, scope) };
}

/** Throws {@link HttpError} 403 with the roles or scopes that are allowed. */
function expectAllowed(caller: Caller, scope: Scope, permission: Permission): void {
  if (hasPermission(caller, scope, permission)) return;
  const { roles, scopes } = holdersOf(permission);
  throw new HttpError(
    403,
    caller.kind === 'key'
      ? `not allowed with this API key; it needs the scope ${scopes.join(' or ')}`
      : `not allowed for your role (${scope.role}); allowed for: ${roles.join(', ')}`,
  );
}

/** Returns whether the permission is given. For a public key the route's access alone decides. */
export function hasPermission(caller: Caller, { role }: Scope, permission: Permission): boolean {
  if (caller.kind === 'key') return caller.keyKind === 'public' || scopesMay(caller.scopes, permission);
  return role !== '' && roleMay(role, permission);
}

function visibilityOf(caller: Caller, { role }: Scope): FieldVisibility {
  if (caller.kind === 'key') return caller.keyKind === 'public' ? NO_VISIBILITY : visibilityOfScopes(caller.scopes);
  return role === '' ? FULL_VISIBILITY : visibilityOfRole(role);
}

type User = Extract<Caller, { kind: 'user' }>;
type Key = Extract<Caller, { kind: 'key' }>;

async function userOf(services: Services, authorization: string | undefined): Promise<User> {
  const [, token] = /^Bearer ([\w.~+/=-]+)$/i.exec(authorization ?? '') ?? [];
  if (token === undefined)
    throw new HttpError(401, 'send an access token (Authorization: Bearer) or an API key (X-API-Key)');
  const session = await services.accessTokens.verify(token);
  if (!session) throw new HttpError(401, 'the access token is invalid or expired; refresh it or log in again');
  return { kind: 'user', ...session };
}

const MAX_DIGESTS = 1000;
/** SHA-256 digests of recent API keys, valid or not. Whether a key exists is looked up each time. */
const digests = createLongKeyCache<string>(MAX_DIGESTS);

/** Returns undefined for a text that cannot be a key. */
function digestOf(apiKey: string, mayBeRegistered: boolean): string | undefined {
  // Not cached: the REST API must not find it.
  if (!isApiKey(apiKey)) return mayBeRegistered ? sha256Of(apiKey) : undefined;
  const sha256 = sha256Of(apiKey);
  digests.set(apiKey, sha256);
  return sha256;
}

async function findKey({ cached }: Services, apiKey: string, mayBeRegistered: boolean): Promise<ApiKeyDoc | undefined> {
  const sha256 = digests.get(apiKey) ?? digestOf(apiKey, mayBeRegistered);
  if (sha256 === undefined) return undefined;
  return cached.get(apiKeys, sha256) ?? (await cached.getMany(apiKeys, [sha256])).get(sha256);
}

function keyOf(services: Services, found: ApiKeyDoc | undefined): Key {
  const isExpired = found?.expiresAt != null && Date.parse(found.expiresAt) <= services.runtime.now();
  if (!found || isExpired) throw new HttpError(401, 'the API key is unknown, deleted or expired');
  const { keyId, projectId, appId, kind } = found;
  const scopes = kind === 'public' ? [] : scopesOfKey(found.scopes);
  return { kind: 'key', keyId, projectId, appId, keyKind: kind, scopes };
}

function scopeOfKey(key: Key, access: Access, c: Credentials): Scope {
  const scope: Scope = { projectId: key.projectId, role: 'owner' };
  if (access === 'user') throw new HttpError(401, 'this endpoint needs a user: send Authorization: Bearer');
  if (access === 'accountUser') throw new HttpError(403, 'not allowed with an API key; log in as a user');
  if (c.pathProjectId !== undefined && c.pathProjectId !== key.projectId) {
    throw new HttpError(403, 'the API key does not belong to this project');
  }
  if (access === 'projectUser') throw new HttpError(403, 'not allowed with an API key; log in as a user');
  const isPublic = key.keyKind === 'public';
  if (isPublic && access !== 'sdk' && access !== 'sdkKey')
    throw new HttpError(403, 'not allowed with a public API key; use a secret key');
  return scope;
}

async function scopeOfUser(services: Services, user: User, access: Access, c: Credentials): Promise<Scope> {
  if (access === 'user' || access === 'account' || access === 'accountUser') return NO_PROJECT;
  if (access === 'sdkKey') throw new HttpError(401, 'this endpoint needs an API key: send X-API-Key');
  const projectId = access === 'project' || access === 'projectUser' ? c.pathProjectId : c.headerProjectId;
  if (projectId === undefined) throw new HttpError(400, 'send the project in the header X-Project-Id');
  const role = await roleOf(services, projectId, user.userId);
  if (!role) throw new HttpError(404, 'project not found');
  return { projectId, role };
}

/** Reads the role without a cache: a removed member is refused with the next request, in every process. */
async function roleOf({ readModels }: Pick<Services, 'readModels'>, projectId: string, userId: string) {
  const id = membershipId(projectId, userId);
  return (await readModels.getDerived<MembershipDoc>(projects, 'memberships', id))?.role ?? null;
}
