// Roles that a member may assign: an owner all, an admin those below admin.
import type { Role } from '../context/project';

const ROLES: readonly Role[] = ['owner', 'admin', 'analyst', 'finance', 'support', 'viewer'];

export function assignableRoles(role: Role): readonly Role[] {
  if (role === 'owner') return ROLES;
  return role === 'admin' ? ROLES.slice(2) : [];
}

export const ROLE_DESCRIPTIONS: Readonly<Record<Role, string>> = {
  owner: 'owner: full access',
  admin: 'admin: everything except deleting the project',
  analyst: 'analyst: charts and amounts, no personal fields',
  finance: 'finance: charts, amounts and closing of months, no personal fields',
  support: 'support: customers and grants, no amounts',
  viewer: 'viewer: read-only',
};
