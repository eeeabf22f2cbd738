// Who may do what in a project: the one table of roles and of the scopes of API keys.
import { FULL_SIGHT, type Sight } from '../values/field-groups.js';

/** From the most to the least that they may do. */
export const roles = ['owner', 'admin', 'analyst', 'support', 'viewer'] as const;
export type Role = (typeof roles)[number];

/** `write`: what SDKs and servers write. `config`: the set-up. `pii`: sees personal fields. Each but `read` implies `read`. */
export const keyScopes = ['read', 'write', 'support', 'config', 'pii'] as const;
export type KeyScope = (typeof keyScopes)[number];

type PermissionHolders = { readonly roles: readonly Role[]; readonly scopes: readonly KeyScope[] };

const managers = ['owner', 'admin'] as const;
const helpers = ['owner', 'admin', 'support'] as const;

const table = {
  /** To delete the project. No key may. */
  deleteProject: { roles: ['owner'], scopes: [] },
  /** Members, API keys, credentials, settings of apps and project, audit: to read and to change. */
  administer: { roles: managers, scopes: ['config'] },
  /** Who the members are. Invitations are shown to who may `administer`. */
  readMembers: { roles, scopes: ['config'] },
  /** To end a membership: one's own, or that of others by {@link mayAssign}. */
  removeMember: { roles, scopes: [] },
  /** Catalogue, paywalls, experiments, webhooks: to change. */
  configure: { roles: managers, scopes: ['config'] },
  /** The same and the set-up: to read. */
  readSetup: { roles, scopes: ['read'] },
  /** Charts, comparisons, the overview, exports, saved views. */
  readCharts: { roles: ['owner', 'admin', 'analyst', 'viewer'], scopes: ['read'] },
  /** Named replays: to make and to delete. */
  keepReplays: { roles: ['owner', 'admin', 'analyst'], scopes: ['config'] },
  annotate: { roles: ['owner', 'admin', 'analyst'], scopes: ['config'] },
  /** Customers, timelines, explanations, transactions, notifications, deliveries, the live feed. */
  readCustomers: { roles, scopes: ['read'] },
  /** What an app or its server records about a subscriber: that there is one, receipts, events. */
  recordSubscriber: { roles: helpers, scopes: ['write'] },
  /** Attributes and grants: by servers, and by hand. */
  changeSubscriber: { roles: helpers, scopes: ['write', 'support'] },
  /** Transfer a purchase, ask the stores again, retry a notification, redeliver. */
  support: { roles: helpers, scopes: ['support'] },
  erase: { roles: managers, scopes: ['config'] },
} satisfies Readonly<Record<string, PermissionHolders>>;

export type Permission = keyof typeof table;
export const permissions = Object.keys(table) as readonly Permission[];

export function allowedFor(permission: Permission): PermissionHolders {
  return table[permission];
}

export function roleMay(role: Role, permission: Permission): boolean {
  return allowedFor(permission).roles.includes(role);
}

export function scopesMay(scopes: readonly KeyScope[], permission: Permission): boolean {
  const allowed = allowedFor(permission).scopes;
  return (allowed.includes('read') && scopes.length > 0) || allowed.some((scope) => scopes.includes(scope));
}

const sightByRole: Readonly<Record<Role, Sight>> = {
  owner: FULL_SIGHT,
  admin: FULL_SIGHT,
  analyst: { money: true, personal: false, secret: false },
  support: { money: false, personal: true, secret: false },
  viewer: { money: true, personal: false, secret: false },
};

/** What a role sees of what it may ask for. */
export function sightOfRole(role: Role): Sight {
  return sightByRole[role];
}

const sightsOfScopes = [false, true].map((personal) =>
  [false, true].map((secret) => (personal && secret ? FULL_SIGHT : { money: true, personal, secret })),
);

/** What a secret key sees. */
export function sightOfScopes(scopes: readonly KeyScope[]): Sight {
  const [personal, secret] = [scopes.includes('pii'), scopes.includes('config')];
  return sightsOfScopes[personal ? 1 : 0]?.[secret ? 1 : 0] ?? NO_SIGHT;
}

/** What a public key sees, which everybody can take out of the app that it is shipped in. */
export const NO_SIGHT: Sight = { money: false, personal: false, secret: false };

/** The scopes of a secret key; none recorded: all. */
export function scopesOfKey(recorded: readonly KeyScope[]): readonly KeyScope[] {
  return recorded.length === 0 ? keyScopes : recorded;
}

/** Whether a role may give, change or take away the other: an owner any, an admin those below admin. */
export function mayAssign(role: Role, other: Role): boolean {
  return role === 'owner' || (role === 'admin' && rankOf(other) > rankOf('admin'));
}

/** The roles that may. */
export function assignersOf(other: Role): readonly Role[] {
  return roles.filter((role) => mayAssign(role, other));
}

function rankOf(role: Role): number {
  return roles.indexOf(role);
}
