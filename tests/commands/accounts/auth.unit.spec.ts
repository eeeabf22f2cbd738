// Registering and logging in: whose email it is, which passwords may be chosen, what a crash leaves behind.
import { expect } from 'chai';
import { spy } from 'sinon';
import { Rejection, Unavailable } from '../../../src/domain/errors.js';
import type { Passwords } from '../../../src/adapters/passwords/port.js';
import { createPasswords } from '../../../src/adapters/passwords/worker.js';
import { replacePassword, readPassword } from '../../../src/commands/accounts/passwords.js';
import { repeatableRuntime } from '../../../src/commands/idempotency/repeatable-runtime.js';
import { anybody, Cut, DAY, openRig, SECOND, START, type Rig } from './auth-rig.js';

const ANN = { email: 'ann@example.com', password: 'a fine long password', name: 'Ann' };
const EVE = { ...ANN, password: 'another long password', name: 'Eve' };
const failure = (work: Promise<unknown>): Promise<unknown> => work.then(() => undefined).catch((err: unknown) => err);
const codeOf = (err: unknown) => (err instanceof Rejection ? `${err.kind} ${err.code}` : err);

describe('auth', () => {
  let passwords: Passwords;
  before(() => {
    passwords = createPasswords({ cost: 4 });
  });
  after(() => passwords.close());
  const open = (...args: Parameters<typeof openRig> extends [Passwords, ...infer R] ? R : never) =>
    openRig(passwords, ...args);
  const typesIn = async (rig: Rig) => (await rig.events()).map((e) => e.type);

  describe('register', () => {
    it('makes a user who is logged in and can log in', async () => {
      const rig = await open();
      const { user, tokens } = await rig.auth.register(rig.by(), { ...ANN, email: ' ANN@example.com' });
      expect(user).to.include({ email: 'ann@example.com', name: 'Ann', registeredAt: '2026-11-20T10:00:00.000Z' });
      expect(user.userId).to.match(/^usr_[0-9a-z]{26}$/);
      expect(tokens.expiresIn).to.equal(3600);
      expect(tokens.refreshToken).to.match(/^rt_[A-Za-z0-9_-]{43}$/);
      expect(await rig.accessTokens.verify(tokens.accessToken)).to.include({ userId: user.userId });
      expect(await rig.auth.findUser(user.userId)).to.deep.equal(user);
      expect((await rig.auth.logIn(rig.by(), ANN))?.user.userId).to.equal(user.userId);
      expect(await typesIn(rig)).to.deep.equal(['UserRegistered', 'UserLoggedIn', 'UserLoggedIn']);
    });

    it('refuses an email that is taken, however it is spelt', async () => {
      const rig = await open();
      await rig.auth.register(rig.by(), ANN);
      const again = rig.auth.register(rig.by(), { ...EVE, email: 'Ann@Example.com' });
      expect(codeOf(await failure(again))).to.equal('conflict email-taken');
      expect(await rig.auth.logIn(rig.by(), EVE)).to.equal(null);
    });

    it('gives an email to one of many at once, and only that one logs in', async () => {
      const rig = await open();
      const other = rig.restart();
      const attempts = Array.from({ length: 10 }, (_, i) => ({ ...ANN, password: `password number ${i}` }));
      const outcomes = await Promise.allSettled(
        attempts.map((o, i) => (i % 2 === 0 ? rig : other).auth.register(rig.by(), o)),
      );
      const won = outcomes.flatMap((o) => (o.status === 'fulfilled' ? [o.value.user.userId] : []));
      expect(won).to.have.length(1);
      for (const o of outcomes) if (o.status === 'rejected') expect(codeOf(o.reason)).to.equal('conflict email-taken');
      const entries = await Promise.all(attempts.map((o) => rig.auth.logIn(rig.by(), o)));
      expect(entries.flatMap((entry) => (entry ? [entry.user.userId] : []))).to.deep.equal(won);
      await rig.auth.idle();
    });

    it('keeps passwords and tokens out of the log, and the email sealed in it', async () => {
      const rig = await open();
      const { tokens } = await rig.auth.register(rig.by(), ANN);
      const text = JSON.stringify(await rig.events());
      for (const secret of [ANN.password, '$2b$', tokens.refreshToken, tokens.accessToken]) {
        expect(text).to.not.contain(secret);
      }
    });

    // Three records, then the event: every place where a process can end.
    const places: Record<string, (rig: Rig) => void> = {
      'before its records': (rig) => (rig.cuts.onWrite = cutAt(1)),
      'after the first record': (rig) => (rig.cuts.onWrite = cutAt(2)),
      'after the second record': (rig) => (rig.cuts.onWrite = cutAt(3)),
      'between its records and its event': (rig) => (rig.cuts.onAppend = cutWhen('before')),
    };
    for (const [place, cut] of Object.entries(places)) {
      it(`leaves the email free when cut ${place}, and its password opens nothing`, async () => {
        const rig = await open();
        cut(rig);
        expect(await failure(rig.auth.register(rig.by(), ANN))).to.be.instanceOf(Cut);
        const next = mended(rig);
        expect(await next.auth.logIn(next.by(), ANN)).to.equal(null);
        const { user } = await next.auth.register(next.by(), EVE);
        expect(await next.auth.logIn(next.by(), ANN)).to.equal(null);
        expect((await next.auth.logIn(next.by(), EVE))?.user).to.include({ userId: user.userId, name: 'Eve' });
        await next.auth.idle();
      });
    }

    it('leaves a whole account when cut after its event', async () => {
      const rig = await open();
      rig.cuts.onAppend = cutWhen('after');
      expect(await failure(rig.auth.register(rig.by(), ANN))).to.be.instanceOf(Cut);
      const next = mended(rig);
      expect(codeOf(await failure(next.auth.register(next.by(), EVE)))).to.equal('conflict email-taken');
      expect((await next.auth.logIn(next.by(), ANN))?.user.name).to.equal('Ann');
    });

    it('makes the same user again under the same name and ids, wherever the first try was cut', async () => {
      for (const registration of ['open', 'first_user_only'] as const) {
        for (const when of ['before', 'after'] as const) {
          const rig = await open({ registration });
          const by = rig.by();
          const drawing = () => repeatableRuntime(rig.deps.runtime, Buffer.alloc(32, 3), START);
          rig.cuts.onAppend = cutWhen(when);
          expect(await failure(rig.auth.register(by, ANN, drawing()))).to.be.instanceOf(Cut);
          const next = mended(rig, { registration });
          const { user, tokens } = await next.auth.register(by, ANN, drawing());
          expect(await next.auth.register(by, ANN, drawing())).to.deep.include({ user });
          expect((await next.auth.logIn(next.by(), ANN))?.user.userId).to.equal(user.userId);
          expect(await next.auth.refresh(next.by(), tokens.refreshToken, anybody)).to.not.equal(null);
          expect((await typesIn(next)).filter((type) => type === 'UserRegistered')).to.have.length(1);
        }
      }
    });

    it('keeps the records of a registration whose outcome is unknown', async () => {
      const rig = await open();
      rig.cuts.onAppend = (when) => {
        if (when === 'after') throw new Unavailable('no answer');
      };
      expect(await failure(rig.auth.register(rig.by(), ANN))).to.be.instanceOf(Unavailable);
      expect(await mended(rig).auth.logIn(rig.by(), ANN)).to.not.equal(null);
    });

    it('stores nothing for a password that is refused', async () => {
      const rig = await open();
      const err = await failure(rig.auth.register(rig.by(), { ...ANN, password: 'password123' }));
      expect(codeOf(err)).to.equal('invalid password-refused');
      expect(await rig.events()).to.deep.equal([]);
    });

    for (const password of ['exactly 10', 'correct horse battery staple '.repeat(3).slice(0, 72)]) {
      it(`takes a password of ${password.length} bytes, and nothing longer in its place`, async () => {
        const rig = await open();
        await rig.auth.register(rig.by(), { ...ANN, password });
        expect(await rig.auth.logIn(rig.by(), { ...ANN, password })).to.not.equal(null);
        expect(await rig.auth.logIn(rig.by(), { ...ANN, password: `${password}!` })).to.equal(null);
        await rig.auth.idle();
      });
    }
  });

  describe('register where it is limited', () => {
    const BOB = { ...ANN, email: 'bob@example.com' };
    const CLOSED = 'forbidden registration-closed';

    it('rejects everyone when closed', async () => {
      const rig = await open({ registration: 'closed' });
      expect(codeOf(await failure(rig.auth.register(rig.by(), ANN)))).to.equal(CLOSED);
    });

    it('takes the first user only, also when that one came while it was open', async () => {
      const rig = await open({ registration: 'first_user_only' });
      await rig.auth.register(rig.by(), ANN);
      expect(codeOf(await failure(rig.auth.register(rig.by(), BOB)))).to.equal(CLOSED);
      const opened = await open();
      await opened.auth.register(opened.by(), ANN);
      const limited = opened.restart({ registration: 'first_user_only' });
      limited.clock.now += DAY;
      expect(codeOf(await failure(limited.auth.register(limited.by(), BOB)))).to.equal(CLOSED);
    });

    it('takes one of many at once', async () => {
      const rig = await open({ registration: 'first_user_only' });
      const users = Array.from({ length: 10 }, (_, i) => ({ ...ANN, email: `user${i}@example.com` }));
      const outcomes = await Promise.allSettled(users.map((o) => rig.auth.register(rig.by(), o)));
      expect(outcomes.filter((o) => o.status === 'fulfilled')).to.have.length(1);
      for (const o of outcomes) if (o.status === 'rejected') expect(codeOf(o.reason)).to.equal(CLOSED);
      expect((await typesIn(rig)).filter((type) => type === 'UserRegistered')).to.have.length(1);
    });

    it('lets the same user try again at once after a crash, and others after a minute', async () => {
      for (const [next, waitMs] of [
        [ANN, 0],
        [BOB, 60 * SECOND],
      ] as const) {
        const rig = await open({ registration: 'first_user_only' });
        rig.cuts.onAppend = cutWhen('before');
        await failure(rig.auth.register(rig.by(), ANN));
        const restarted = mended(rig, { registration: 'first_user_only' });
        restarted.clock.now += waitMs - 1;
        if (waitMs > 0) expect(codeOf(await failure(restarted.auth.register(rig.by(), next)))).to.equal(CLOSED);
        restarted.clock.now += 1;
        expect((await restarted.auth.register(rig.by(), next)).user.email).to.equal(next.email);
      }
    });
  });

  describe('log in', () => {
    it('answers an unknown email and a wrong password alike', async () => {
      const rig = await open();
      await rig.auth.register(rig.by(), ANN);
      expect(await rig.auth.logIn(rig.by(), EVE)).to.equal(null);
      expect(await rig.auth.logIn(rig.by(), { ...ANN, email: 'nobody@example.com' })).to.equal(null);
      await rig.auth.idle();
    });

    it('does the same work for an unknown email as for a wrong password, whatever the clock shows of it', async () => {
      const rig = await open();
      await rig.auth.register(rig.by(), ANN);
      // The first failure is recorded, and no response waits for that; the next ones are not.
      await rig.auth.logIn(rig.by(), EVE);
      await rig.auth.idle();
      const workOf = async (credentials: typeof ANN) => {
        // A process that has no user in memory.
        const checks: string[] = [];
        const verify = async (): Promise<false> => {
          checks.push('compared');
          return false;
        };
        const counting = { ...passwords, verify, verifyDummy: verify };
        const { auth, deps, by } = rig.restart({ passwords: counting });
        const spies = { get: spy(deps.docs, 'get'), read: spy(deps.log, 'read'), write: spy(deps.docs, 'write') };
        try {
          expect(await auth.logIn(by(), credentials)).to.equal(null);
          const { get, read, write } = spies;
          return { checks, gets: get.callCount, reads: read.callCount, writes: write.callCount };
        } finally {
          await auth.idle();
          Object.values(spies).forEach((made) => made.restore());
        }
      };
      const wrong = await workOf(EVE);
      expect(await workOf({ ...ANN, email: 'nobody@example.com' })).to.deep.equal(wrong);
      expect(wrong).to.deep.include({ checks: ['compared'], writes: 0 });
    });

    it('records failures of known users, more and more seldom', async () => {
      const rig = await open();
      await rig.auth.register(rig.by(), ANN);
      for (let i = 0; i < 120; i++) {
        await rig.auth.logIn(rig.by(), EVE);
        await rig.auth.idle();
        rig.clock.now += SECOND;
      }
      await rig.auth.logIn(rig.by(), { ...ANN, email: 'nobody@example.com' });
      await rig.auth.idle();
      expect((await typesIn(rig)).filter((type) => type === 'UserLogInFailed')).to.have.length(2);
    });

    it('answers a wrong password although its failure cannot be recorded', async () => {
      const rig = await open();
      await rig.auth.register(rig.by(), ANN);
      rig.cuts.onAppend = cutWhen('before');
      expect(await rig.auth.logIn(rig.by(), EVE)).to.equal(null);
      await rig.auth.idle();
    });

    it('hashes again with a higher cost', async () => {
      const rig = await open();
      const { user } = await rig.auth.register(rig.by(), ANN);
      const dearer = createPasswords({ cost: 5 });
      const next = rig.restart({ passwords: dearer });
      await next.auth.logIn(next.by(), ANN);
      await next.auth.idle();
      expect((await readPassword(next.deps.docs, user.userId))?.record.hash).to.match(/^\$2b\$05\$/);
      expect(await next.auth.logIn(next.by(), ANN)).to.not.equal(null);
      await dearer.close();
    });

    it('ends access tokens within 2 s and refresh tokens at once when the token version goes up', async () => {
      const rig = await open();
      const { user, tokens } = await rig.auth.register(rig.by(), ANN);
      expect(await rig.accessTokens.verify(tokens.accessToken)).to.not.equal(null);
      const stored = await readPassword(rig.deps.docs, user.userId);
      if (stored) await rig.deps.docs.write([[replacePassword(stored, { tokenVersion: 1 })]]);
      expect(await rig.auth.refresh(rig.by(), tokens.refreshToken, anybody)).to.equal(null);
      rig.clock.now += 2 * SECOND;
      expect(await rig.accessTokens.verify(tokens.accessToken)).to.equal(null);
      expect(await rig.auth.logIn(rig.by(), ANN)).to.not.equal(null);
    });
  });
});

/** Throws before the n-th write to a collection of the log-in; data keys do not count. */
function cutAt(n: number): Rig['cuts']['onWrite'] {
  let seen = 0;
  return ({ c }) => {
    if (c !== 'data_keys' && ++seen === n) throw new Cut();
  };
}

function cutWhen(place: 'before' | 'after'): Rig['cuts']['onAppend'] {
  return (when) => {
    if (when === place) throw new Cut();
  };
}

function mended(rig: Rig, ...options: Parameters<Rig['restart']>): Rig {
  rig.cuts.onWrite = () => undefined;
  rig.cuts.onAppend = () => undefined;
  return rig.restart(...options);
}
