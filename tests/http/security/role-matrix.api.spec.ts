// Every route of a project, asked by a member of each role and by a key of each scope. Who may follows from the table of the interface's
// design, written down here by paths, and not from the code under test. A refused request writes nothing, and is told who could.
import { expect } from 'chai';
import { keyScopes, roles, type KeyScope, type Role } from '../../../src/domain/project/roles.js';
import type { Route } from '../../../src/http/dispatch/route.js';
import { routes } from '../../../src/http/routes.js';
import { setUpProject, type Credentials } from '../support/harness.js';
import { expectRefusal, headOf } from '../support/refusal.js';
import { furnish, nameOf, send, type Ground } from '../support/route-samples.js';
import { createManualClock } from '../support/manual-clock.js';
import { setUpHarness } from '../support/setup.js';
import { newMember } from '../support/team.js';

const [NOBODY, ANY]: readonly KeyScope[][] = [[], [...keyScopes]];
/** Permissions: initials of roles (`u` for support, `l` for analyst), and scopes of keys. */
type Row = readonly [path: RegExp, roles: string, scopes: readonly KeyScope[] | undefined];

/** The first row that fits. */
const table: readonly Row[] = [
  [/^DELETE \/v1\/projects\/:id$/, 'o', NOBODY],
  [/^GET \/v1\/api-key$/, '', ANY],
  [/^GET .*\/members$/, 'oalfuv', ['config']],
  [/\/members/, 'oa', NOBODY],
  [/^GET .*\/api-keys/, 'oa', ['config']],
  [/\/api-keys/, 'oa', NOBODY],
  // The bodies here set addresses that receive personal fields: no scope alone is enough.
  [/^POST .*\/webhooks$|^PATCH .*\/apps\/:appId$/, 'oa', []],
  [/\/credentials|\/report-source|\/audit|^(PATCH|POST|DELETE) \/v1\/projects\/:id(\/apps.*)?$/, 'oa', ['config']],
  [/\/imports/, 'oa', ['config']],
  [/\/views/, 'oalfv', NOBODY],
  [/^(POST|DELETE) .*\/(annotations|replays)/, 'oal', ['config']],
  [/^(POST|DELETE) .*\/customer-segments/, 'oalu', ['config']],
  [/^PUT .*\/watch$/, 'oa', ['config']],
  [/^GET .*\/books|\/(metrics|annotations|simulations)/, 'oalfv', ANY],
  [/^PUT .*\/books|\/books\/:month\//, 'oaf', ['config', 'finance']],
  [/^POST .*\/(transfer|refresh|test-action|redeliver|retry|answer)$/, 'oau', ['support']],
  [/^GET \/v1\/projects\/:id/, 'oalfuv', ANY],
  [/^(POST|PATCH|DELETE) \/v1\/projects\/:id\//, 'oa', ['config']],
  [/^DELETE \/v1\/subscribers\/:appUserId$/, 'oa', ['config']],
  [/^GET \/v1\/(subscribers|offerings)/, 'oalfuv', ANY],
  [/^(POST|DELETE) .*\/(attributes|entitlements)/, 'oau', ['write', 'support']],
  [/^POST \/v1\/(subscribers|events)/, 'oau', ['write']],
];
const initials: Readonly<Record<Role, string>> = {
  owner: 'o',
  admin: 'a',
  analyst: 'l',
  finance: 'f',
  support: 'u',
  viewer: 'v',
};

const ofProjects = routes.filter(({ path }) => !/^\/auth\/|^\/v1\/(store\/|projects$|demo)/.test(path));
function rowOf(route: Route): Row {
  const row = table.find(([path]) => path.test(nameOf(route)));
  if (!row) throw new Error(`give ${nameOf(route)} a row here`);
  return row;
}

describe('the table of roles and scopes', () => {
  const clock = createManualClock(Date.parse('2026-11-20T10:00:00.000Z'));
  const harness = setUpHarness({}, clock.runtime);
  let ground: Ground;
  const members = new Map<Role, string>();
  const keys = new Map<KeyScope, string>();

  before(async () => {
    const slice = await setUpProject(harness);
    ground = await furnish(harness, slice, clock.now());
    const as = { token: slice.token };
    for (const role of roles)
      members.set(role, (await newMember(harness.call, slice.projectId, slice.token, role)).token);
    for (const scope of keyScopes) {
      const made = await harness.call(
        'POST',
        `/v1/projects/${slice.projectId}/api-keys`,
        { name: scope, scopes: [scope] },
        as,
      );
      expect(made.body.scopes).to.deep.equal([scope]);
      keys.set(scope, made.body.key);
    }
  });

  const asRole = (role: Role): Credentials => ({
    token: members.get(role) ?? '',
    headers: { 'x-project-id': ground.projectId },
  });

  type Who = { readonly name: string; readonly as: () => Credentials; readonly may: (route: Route) => boolean };
  // Whoever may do less comes first, since those who may more delete more.
  const callers: readonly Who[] = [
    ...roles.toReversed().map((role) => ({
      name: role,
      as: () => asRole(role),
      may: (route: Route) => rowOf(route)[1].includes(initials[role]),
    })),
    ...keyScopes.map((scope) => ({
      name: `a key with the scope ${scope} alone`,
      as: () => ({ key: keys.get(scope) ?? '' }),
      may: (route: Route) => rowOf(route)[2]?.includes(scope) ?? false,
    })),
  ];
  // Routes for keys only reject users of each role.
  const asked = ({ name }: Who) => ofProjects.filter((r) => r.access !== 'sdkKey' || name.startsWith('a key'));

  for (const who of callers) {
    describe(`refuses ${who.name}`, () => {
      let start: string;
      const head = async () => {
        await harness.service().idle();
        return headOf(harness);
      };
      before(async () => void (start = await head()));
      for (const route of asked(who).filter((r) => !who.may(r))) {
        it(nameOf(route), async () => {
          const response = await send(harness, route, ground, who.as());
          expectRefusal(response, 403);
          expect(response.body.message).to.match(/; allowed for: |needs the scope|log in as a user/);
        });
      }
      it('and writes nothing', async () => expect(await head()).to.equal(start));
    });
  }

  for (const who of callers) {
    describe(`lets ${who.name} read`, () => {
      for (const route of asked(who).filter((r) => who.may(r) && r.method === 'get')) {
        it(nameOf(route), async () => {
          const { status, body } = await send(harness, route, ground, who.as());
          expect(status, JSON.stringify(body)).to.equal(200);
        });
      }
    });
  }

  for (const who of callers) {
    describe(`lets ${who.name} write`, () => {
      for (const route of asked(who).filter((r) => who.may(r) && r.method !== 'get')) {
        // The project goes with the last test of all.
        if (nameOf(route) === 'DELETE /v1/projects/:id') continue;
        it(nameOf(route), async () => {
          const { status, body } = await send(harness, route, ground, who.as());
          // Others have deleted by now what some writes are about: to be told so one must be let in.
          expect(status, JSON.stringify(body)).to.be.oneOf([200, 201, 202, 400, 404, 409]);
        });
      }
    });
  }

  // A separate suite, which runs after the others.
  describe('in the end', () => {
    it('lets an owner delete the project', async () => {
      const route = routes.find((r) => nameOf(r) === 'DELETE /v1/projects/:id');
      if (!route) throw new Error('no such route');
      expect((await send(harness, route, ground, asRole('owner'))).status).to.equal(200);
    });
  });
});
