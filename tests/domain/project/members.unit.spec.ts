// The rules of members: who lets in, changes and removes whom.
import { projectDecider } from '../../../src/domain/project/decide.js';
import type { MemberCommand } from '../../../src/domain/project/decide-member.js';
import { projectEvents as e } from '../../../src/domain/project/events.js';
import { roles, type Role } from '../../../src/domain/project/roles.js';
import { given } from '../spec.js';

const NOW = '2026-11-20T10:00:00.000Z';
const LATER = '2026-11-27T10:00:00.000Z';
const created = e.ProjectCreated.of({
  ...{ projectId: 'proj_1', name: 'Weather', ownerId: 'maker', displayCurrency: 'USD' },
  ...{ transferBehavior: 'transfer', sandboxAccess: 'anybody' },
});
const invitation = (role: Role, n = 1) => ({
  ...{ invitationId: `inv_${n}`, emailKey: `key_${n}`, email: `${n}@example.com` },
  ...{ role, expiresAt: LATER },
});
const invited = (role: Role, n = 1) => e.MemberInvited.of(invitation(role, n));
const joined = (userId: string, role: Role, n = 1) => e.MemberJoined.of({ userId, role, invitationId: `inv_${n}` });
/** The maker, and one member of each role by the role's name. */
const everybody = [created, ...roles.map((role, i) => joined(role, role, 10 + i))];

const invite = (
  by: string,
  role: Role,
  { userId = null, at = NOW, ...more }: { userId?: string | null; at?: string; invitationId?: string } = {},
): MemberCommand => ({ kind: 'inviteMember', invitation: { ...invitation(role), ...more }, userId, by, at });
const join = (userId: string, at = NOW): MemberCommand => ({ kind: 'join', invitationId: 'inv_1', userId, at });
const change = (by: string, userId: string, role: Role): MemberCommand => ({ kind: 'changeRole', userId, role, by });
const remove = (by: string, userId: string): MemberCommand => ({ kind: 'removeMember', userId, by });
const withdraw = (by: string): MemberCommand => ({ kind: 'withdrawInvitation', invitationId: 'inv_1', by });
const changed = (userId: string, from: Role, to: Role) => e.MemberRoleChanged.of({ userId, from, to });

describe('members of a project', () => {
  it('begin with who made it, as an owner: also in logs from before there were members', () => {
    given(projectDecider, created).when(invite('maker', 'owner')).then(invited('owner'));
    given(projectDecider, created).when(remove('maker', 'maker')).thenRejected('last-owner');
  });

  describe('are invited', () => {
    for (const by of roles) {
      for (const role of roles) {
        const may = by === 'owner' || (by === 'admin' && !['owner', 'admin'].includes(role));
        it(`as ${role} by ${by}: ${may ? 'yes' : 'no'}`, () => {
          const asked = given(projectDecider, ...everybody).when(invite(by, role));
          if (may) asked.then(invited(role));
          else asked.thenRejected('role-too-low');
        });
      }
    }

    it('not twice at once, but again once the invitation has ended', () => {
      const open = given(projectDecider, created, invited('viewer'));
      open.when(invite('maker', 'viewer', { invitationId: 'inv_2' })).thenRejected('already-invited');
      const again = e.MemberInvited.of({ ...invitation('viewer'), invitationId: 'inv_2' });
      open.when(invite('maker', 'viewer', { invitationId: 'inv_2', at: LATER })).then(again);
    });

    it('not when they are members', () =>
      given(projectDecider, ...everybody)
        .when(invite('owner', 'viewer', { userId: 'support' }))
        .thenRejected('already-member'));

    it('not by who was removed a moment ago', () =>
      given(projectDecider, created).when(invite('stranger', 'viewer')).thenRejected('project-unknown'));

    it('five hundred at most, invitations included', () => {
      const all = Array.from({ length: 499 }, (_, i) => joined(`user_${i}`, 'viewer', 100 + i));
      given(projectDecider, created, ...all)
        .when(invite('maker', 'viewer'))
        .thenRejected('too-many-members');
    });
  });

  describe('join', () => {
    it('under the role of the invitation, once', () => {
      given(projectDecider, created, invited('support')).when(join('ann')).then(joined('ann', 'support'));
      const used = given(projectDecider, created, invited('support'), joined('ann', 'support'));
      used.when(join('ben')).thenRejected('invitation-unknown');
      used.when(join('ann')).thenNothing();
    });

    it('not by an invitation that has expired or was withdrawn', () => {
      given(projectDecider, created, invited('support')).when(join('ann', LATER)).thenRejected('invitation-unknown');
      const withdrawn = e.InvitationWithdrawn.of({ invitationId: 'inv_1' });
      given(projectDecider, created, invited('support'), withdrawn)
        .when(join('ann'))
        .thenRejected('invitation-unknown');
    });

    it('not when they are members', () =>
      given(projectDecider, created, invited('viewer')).when(join('maker')).thenRejected('already-member'));
  });

  describe('get another role', () => {
    for (const by of roles) {
      for (const from of roles) {
        for (const to of roles) {
          const isBelow = (role: Role) => !['owner', 'admin'].includes(role);
          const may = by === 'owner' || (by === 'admin' && isBelow(from) && isBelow(to));
          it(`${from} to ${to} by ${by}: ${may ? 'yes' : 'no'}`, () => {
            const asked = given(projectDecider, ...everybody).when(change(by, from, to));
            if (!may) asked.thenRejected('role-too-low');
            else if (from === to) asked.thenNothing();
            // An owner who has lowered themselves may not do it again.
            else asked[by === from ? 'thenOnce' : 'then'](changed(from, from, to));
          });
        }
      }
    }

    it('unless they are the last owner', () => {
      given(projectDecider, created)
        .when(change('maker', 'maker', 'admin'))
        .thenRejected('last-owner');
      given(projectDecider, created, joined('ann', 'owner'))
        .when(change('maker', 'maker', 'admin'))
        .thenOnce(changed('maker', 'owner', 'admin'));
    });

    it('not of an unknown member', () =>
      given(projectDecider, created)
        .when(change('maker', 'nobody', 'viewer'))
        .thenRejected('member-unknown'));
  });

  describe('are removed', () => {
    for (const by of roles) {
      for (const who of roles) {
        const isBelow = !['owner', 'admin'].includes(who);
        const may = by === who || by === 'owner' || (by === 'admin' && isBelow);
        it(`${who} by ${by}: ${may ? 'yes' : 'no'}`, () => {
          const asked = given(projectDecider, ...everybody).when(remove(by, who));
          if (may) asked.thenOnce(e.MemberRemoved.of({ userId: who, role: who }));
          else asked.thenRejected('role-too-low');
        });
      }
    }

    it('not of the last owner, by any role', () => {
      given(projectDecider, created).when(remove('maker', 'maker')).thenRejected('last-owner');
    });

    it('not of an unknown member', () =>
      given(projectDecider, created).when(remove('maker', 'nobody')).thenRejected('member-unknown'));
  });

  it('withdraw an invitation under a role that they may give, once', () => {
    const open = given(projectDecider, ...everybody, invited('admin'));
    open.when(withdraw('owner')).thenOnce(e.InvitationWithdrawn.of({ invitationId: 'inv_1' }));
    open.when(withdraw('admin')).thenRejected('role-too-low');
    given(projectDecider, created).when(withdraw('maker')).thenRejected('invitation-unknown');
  });
});
