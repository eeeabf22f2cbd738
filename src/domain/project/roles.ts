// The permissions in a project: the only table of roles and of API key scopes.
import { tableKeys } from '../values/table-keys.js';
import { FULL_VISIBILITY, type FieldVisibility } from '../values/field-groups.js';

/** Roles, those with the most permissions first. */
export const roles = ['owner', 'admin', 'analyst', 'finance', 'support', 'viewer'] as const;
export type Role = (typeof roles)[number];

/** `write`: data of SDKs and servers. `config`: setup. `finance`: closing of months. `pii`: personal fields. Every other scope includes `read`. */
export const keyScopes = ['read', 'write', 'support', 'config', 'finance', 'pii'] as const;
export type KeyScope = (typeof keyScopes)[number];

type PermissionHolders = { readonly roles: readonly Role[]; readonly scopes: readonly KeyScope[] };

const managerRoles = ['owner', 'admin'] as const;
const supportRoles = ['owner', 'admin', 'support'] as const;

const holdersByPermission = {
  /** Delete the project. No API key has this permission. */
  deleteProject: { roles: ['owner'], scopes: [] },
  /** Read and change members, API keys, credentials, settings of apps and project; read the audit. */
  administer: { roles: managerRoles, scopes: ['config'] },
  /** List the members. Invitations need `administer`. */
  readMembers: { roles, scopes: ['config'] },
  /** End a membership: one's own, or that of others by {@link mayAssign}. */
  removeMember: { roles, scopes: [] },
  /** Change the catalogue, paywalls, targeting, experiments and webhooks. */
  configure: { roles: managerRoles, scopes: ['config'] },
  /** Read the catalogue, paywalls, targeting, experiments, webhooks and the setup. */
  readSetup: { roles, scopes: ['read'] },
  /** Read charts, comparisons, the overview, exports and saved views. */
  readCharts: { roles: ['owner', 'admin', 'analyst', 'finance', 'viewer'], scopes: ['read'] },
  /** Close and reopen months of the books, and set how revenue is counted and booked. */
  closeBooks: { roles: ['owner', 'admin', 'finance'], scopes: ['config', 'finance'] },
  /** Create and delete named replays. */
  keepReplays: { roles: ['owner', 'admin', 'analyst'], scopes: ['config'] },
  /** Save and delete segments of customers. */
  keepSegments: { roles: ['owner', 'admin', 'analyst', 'support'], scopes: ['config'] },
  /** Write notes on charts, and share saved views. */
  annotate: { roles: ['owner', 'admin', 'analyst'], scopes: ['config'] },
  /** Read customers, timelines, explanations, transactions, notifications, deliveries and the live feed. */
  readCustomers: { roles, scopes: ['read'] },
  /** Record subscribers, receipts and events, for an app or its server. */
  recordSubscriber: { roles: supportRoles, scopes: ['write'] },
  /** Change attributes and grants. */
  changeSubscriber: { roles: supportRoles, scopes: ['write', 'support'] },
  /** Transfer a purchase, refresh from the stores, retry a notification, redeliver. */
  support: { roles: supportRoles, scopes: ['support'] },
  erase: { roles: managerRoles, scopes: ['config'] },
} satisfies Readonly<Record<string, PermissionHolders>>;

export type Permission = keyof typeof holdersByPermission;
export const permissions = tableKeys(holdersByPermission);

export function holdersOf(permission: Permission): PermissionHolders {
  return holdersByPermission[permission];
}

export function roleMay(role: Role, permission: Permission): boolean {
  return holdersOf(permission).roles.includes(role);
}

export function scopesMay(scopes: readonly KeyScope[], permission: Permission): boolean {
  const allowed = holdersOf(permission).scopes;
  return (allowed.includes('read') && scopes.length > 0) || allowed.some((scope) => scopes.includes(scope));
}

const visibilityByRole: Readonly<Record<Role, FieldVisibility>> = {
  owner: FULL_VISIBILITY,
  admin: FULL_VISIBILITY,
  analyst: { money: true, personal: false, secret: false },
  finance: { money: true, personal: false, secret: false },
  support: { money: false, personal: true, secret: false },
  viewer: { money: true, personal: false, secret: false },
};

/** Returns the field groups that are visible to a role. */
export function visibilityOfRole(role: Role): FieldVisibility {
  return visibilityByRole[role];
}

const scopeVisibilities = [false, true].map((personal) =>
  [false, true].map((secret) => (personal && secret ? FULL_VISIBILITY : { money: true, personal, secret })),
);

/** Returns the field groups that are visible to a secret key. */
export function visibilityOfScopes(scopes: readonly KeyScope[]): FieldVisibility {
  const [personal, secret] = [scopes.includes('pii'), scopes.includes('config')];
  return scopeVisibilities[personal ? 1 : 0]?.[secret ? 1 : 0] ?? NO_VISIBILITY;
}

/** Visibility of a public key, which anyone can extract from the app that contains it. */
export const NO_VISIBILITY: FieldVisibility = { money: false, personal: false, secret: false };

/** Returns the scopes of a secret key: all if none are recorded. */
export function scopesOfKey(recorded: readonly KeyScope[]): readonly KeyScope[] {
  return recorded.length === 0 ? keyScopes : recorded;
}

/** Returns true if `role` may assign, change or remove `other`: an owner any role, an admin the roles below admin. */
export function mayAssign(role: Role, other: Role): boolean {
  return role === 'owner' || (role === 'admin' && rankOf(other) > rankOf('admin'));
}

/** Returns the roles that may assign `other`. */
export function assignersOf(other: Role): readonly Role[] {
  return roles.filter((role) => mayAssign(role, other));
}

function rankOf(role: Role): number {
  return roles.indexOf(role);
}
