// The table of roles and scopes, written down by hand.
import { expect } from 'chai';
import {
  keyScopes,
  mayAssign,
  permissions,
  roleMay,
  roles,
  scopesMay,
  scopesOfKey,
  visibilityOfRole,
  visibilityOfScopes,
  type KeyScope,
  type Permission,
  type Role,
} from '../../../src/domain/project/roles.js';

//                       owner  admin  analyst finance support viewer
const table: Readonly<Record<Permission, readonly [string, readonly KeyScope[]]>> = {
  deleteProject: ['✓ - - - - -', []],
  administer: ['✓ ✓ - - - -', ['config']],
  readMembers: ['✓ ✓ ✓ ✓ ✓ ✓', ['config']],
  removeMember: ['✓ ✓ ✓ ✓ ✓ ✓', []],
  configure: ['✓ ✓ - - - -', ['config']],
  readSetup: ['✓ ✓ ✓ ✓ ✓ ✓', ['read', 'write', 'support', 'config', 'finance', 'pii']],
  readCharts: ['✓ ✓ ✓ ✓ - ✓', ['read', 'write', 'support', 'config', 'finance', 'pii']],
  closeBooks: ['✓ ✓ - ✓ - -', ['config', 'finance']],
  keepReplays: ['✓ ✓ ✓ - - -', ['config']],
  keepSegments: ['✓ ✓ ✓ - ✓ -', ['config']],
  annotate: ['✓ ✓ ✓ - - -', ['config']],
  readCustomers: ['✓ ✓ ✓ ✓ ✓ ✓', ['read', 'write', 'support', 'config', 'finance', 'pii']],
  recordSubscriber: ['✓ ✓ - - ✓ -', ['write']],
  changeSubscriber: ['✓ ✓ - - ✓ -', ['write', 'support']],
  support: ['✓ ✓ - - ✓ -', ['support']],
  erase: ['✓ ✓ - - - -', ['config']],
};

describe('roles and scopes', () => {
  it('have a row for each permission', () => expect(permissions).to.have.members(Object.keys(table)));

  for (const permission of permissions) {
    const [ofRoles, scopes] = table[permission];
    it(`${permission}: ${ofRoles}, ${scopes.join(' ')}`, () => {
      expect(roles.map((role) => (roleMay(role, permission) ? '✓' : '-')).join(' ')).to.equal(ofRoles);
      expect(keyScopes.filter((scope) => scopesMay([scope], permission))).to.have.members(scopes);
      expect(scopesMay(keyScopes, permission)).to.equal(scopes.length > 0);
    });
  }

  it('gives a key without recorded scopes all of them', () => {
    expect(scopesOfKey([])).to.deep.equal(keyScopes);
    expect(scopesOfKey(['read'])).to.deep.equal(['read']);
  });

  it('shows money to all but support, and personal fields to owner, admin and support', () => {
    expect(roles.filter((role) => visibilityOfRole(role).money)).to.deep.equal([
      'owner',
      'admin',
      'analyst',
      'finance',
      'viewer',
    ]);
    expect(roles.filter((role) => visibilityOfRole(role).personal)).to.deep.equal(['owner', 'admin', 'support']);
    expect(roles.filter((role) => visibilityOfRole(role).secret)).to.deep.equal(['owner', 'admin']);
  });

  it('shows a key personal fields with the scope pii alone', () => {
    expect(visibilityOfScopes(['read'])).to.deep.equal({ money: true, personal: false, secret: false });
    expect(visibilityOfScopes(['pii'])).to.deep.equal({ money: true, personal: true, secret: false });
    expect(visibilityOfScopes(['config', 'write'])).to.deep.equal({ money: true, personal: false, secret: true });
    expect(visibilityOfScopes(keyScopes)).to.deep.equal({ money: true, personal: true, secret: true });
  });

  it('lets an owner assign any role, and an admin those below admin', () => {
    const assigned = (role: Role) => roles.filter((other) => mayAssign(role, other));
    expect(roles.map(assigned)).to.deep.equal([roles, ['analyst', 'finance', 'support', 'viewer'], [], [], [], []]);
  });
});
