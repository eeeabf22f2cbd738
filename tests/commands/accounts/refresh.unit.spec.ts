// Refresh tokens: one successor each, a short grace for lost responses, and the end of the session for a token used twice.
import { createHash } from 'node:crypto';
import { expect } from 'chai';
import type { Passwords } from '../../../src/adapters/passwords/port.js';
import { createPasswords } from '../../../src/adapters/passwords/worker.js';
import { anybody, Cut, DAY, openRig, SECOND, type Rig } from './auth-rig.js';

const ANN = { email: 'ann@example.com', password: 'a fine long password', name: null };

describe('refresh', () => {
  let passwords: Passwords;
  before(() => {
    passwords = createPasswords({ cost: 4 });
  });
  after(() => passwords.close());

  const loggedIn = async () => {
    const rig = await openRig(passwords);
    const { tokens } = await rig.auth.register(rig.by(), ANN);
    return { rig, first: tokens.refreshToken };
  };
  const use = (rig: Rig, token: string) => rig.auth.refresh(rig.by(), token, anybody);
  const useFor = async (rig: Rig, token: string) => {
    const pair = await use(rig, token);
    if (!pair) throw new Error('the token was refused');
    return pair.refreshToken;
  };
  const reuses = async (rig: Rig) => (await rig.events()).filter((e) => e.type === 'RefreshTokenReuseDetected').length;

  it('gives a new token each time, in the same session', async () => {
    const { rig, first } = await loggedIn();
    const seen = new Set([first]);
    let token = first;
    for (let i = 0; i < 5; i++) {
      rig.clock.now += 3600 * SECOND;
      const pair = await use(rig, token);
      expect(pair?.expiresIn).to.equal(3600);
      token = pair?.refreshToken ?? '';
      expect(token).to.match(/^rt_[A-Za-z0-9_-]{43}$/);
      seen.add(token);
      expect(await rig.accessTokens.verify(pair?.accessToken ?? '')).to.have.property('sessionId');
    }
    expect(seen.size).to.equal(6);
  });

  it('stores no token', async () => {
    const { rig, first } = await loggedIn();
    const second = await useFor(rig, first);
    const pages = await Promise.all(
      ['sessions', 'refresh_tokens'].map((c) => rig.deps.docs.scan(c, { index: 'id', eq: [], limit: 100 })),
    );
    const text = JSON.stringify(pages);
    for (const token of [first, second]) {
      expect(text).to.not.contain(token);
      expect(text).to.contain(createHash('sha256').update(token).digest('hex'));
    }
  });

  it('answers the token just replaced with the same pair for 30 s', async () => {
    const { rig, first } = await loggedIn();
    const pair = await use(rig, first);
    rig.clock.now += 30 * SECOND;
    expect(await use(rig.restart(), first)).to.deep.equal({ ...pair, expiresIn: 3570 });
    expect(await reuses(rig)).to.equal(0);
    expect(await use(rig, pair?.refreshToken ?? '')).to.not.equal(null);
  });

  it('revokes the session when a replaced token is reused after 30 s', async () => {
    const { rig, first } = await loggedIn();
    const second = await useFor(rig, first);
    rig.clock.now += 30 * SECOND + 1;
    expect(await use(rig, first)).to.equal(null);
    expect(await use(rig, second)).to.equal(null);
    expect(await use(rig, first)).to.equal(null);
    expect(await reuses(rig)).to.equal(1);
  });

  it('revokes the session when a token before the last is reused, however soon', async () => {
    const { rig, first } = await loggedIn();
    const third = await useFor(rig, await useFor(rig, first));
    expect(await use(rig, first)).to.equal(null);
    expect(await use(rig, third)).to.equal(null);
    expect(await reuses(rig)).to.equal(1);
  });

  it('revokes the access tokens of a session whose old token is reused: on this process at once, on others within 2 s', async () => {
    const { rig, first } = await loggedIn();
    const other = rig.restart();
    const last = await rig.auth.refresh(rig.by(), first, anybody);
    const accessToken = last?.accessToken ?? '';
    const unrelated = (await rig.auth.logIn(rig.by(), ANN))?.tokens.accessToken ?? '';
    for (const one of [rig, other]) expect(await one.accessTokens.verify(accessToken)).to.not.equal(null);
    rig.clock.now += 30 * SECOND + 1;
    for (const one of [rig, other]) expect(await one.accessTokens.verify(accessToken)).to.not.equal(null);
    expect(await use(rig, first)).to.equal(null);
    expect(await rig.accessTokens.verify(accessToken)).to.equal(null);
    rig.clock.now += 2 * SECOND;
    expect(await other.accessTokens.verify(accessToken)).to.equal(null);
    for (const one of [rig, other]) expect(await one.accessTokens.verify(unrelated)).to.not.equal(null);
  });

  it('ends access tokens at once although they were being checked when the session ended', async () => {
    const { rig, first } = await loggedIn();
    const accessToken = (await rig.auth.refresh(rig.by(), first, anybody))?.accessToken ?? '';
    const checked = rig.accessTokens.verify(accessToken);
    const ended = rig.auth.logOut(first);
    await Promise.all([checked, ended]);
    expect(await rig.accessTokens.verify(accessToken)).to.equal(null);
  });

  it('ends one session and leaves the others', async () => {
    const { rig, first } = await loggedIn();
    const other = (await rig.auth.logIn(rig.by(), ANN))?.tokens.refreshToken ?? '';
    await useFor(rig, await useFor(rig, first));
    expect(await use(rig, first)).to.equal(null);
    expect(await use(rig, other)).to.not.equal(null);
  });

  it('gives 100 uses at once one successor', async () => {
    const { rig, first } = await loggedIn();
    const other = rig.restart();
    const pairs = await Promise.all(Array.from({ length: 100 }, (_, i) => use(i % 2 === 0 ? rig : other, first)));
    expect(new Set(pairs.map((pair) => JSON.stringify(pair))).size).to.equal(1);
    const { rows } = await rig.deps.docs.scan('refresh_tokens', { index: 'id', eq: [], limit: 100 });
    expect(rows).to.have.length(2);
    expect(await use(rig, pairs[0]?.refreshToken ?? '')).to.not.equal(null);
  });

  it('knows 100 uses of a stolen token at once for one reuse', async () => {
    const { rig, first } = await loggedIn();
    await useFor(rig, await useFor(rig, first));
    const pairs = await Promise.all(Array.from({ length: 100 }, () => use(rig, first)));
    expect(pairs.every((pair) => pair === null)).to.equal(true);
    expect(await reuses(rig)).to.equal(1);
  });

  it('continues with the old token after an interruption anywhere in a rotation', async () => {
    for (const collection of ['refresh_tokens', 'sessions']) {
      const { rig, first } = await loggedIn();
      rig.cuts.onWrite = ({ c }) => {
        if (c === collection) throw new Cut();
      };
      expect(await use(rig, first).catch((err: unknown) => err)).to.be.instanceOf(Cut);
      rig.cuts.onWrite = () => undefined;
      rig.clock.now += DAY;
      expect(await use(rig.restart(), await useFor(rig.restart(), first))).to.not.equal(null);
    }
  });

  it('reports a reuse although it was cut after it ended the session', async () => {
    const { rig, first } = await loggedIn();
    await useFor(rig, await useFor(rig, first));
    rig.cuts.onAppend = () => {
      throw new Cut();
    };
    expect(await use(rig, first).catch((err: unknown) => err)).to.be.instanceOf(Cut);
    rig.cuts.onAppend = () => undefined;
    expect(await use(rig, first)).to.equal(null);
    expect(await reuses(rig)).to.equal(1);
  });

  it('refuses a token unused for 30 days', async () => {
    const { rig, first } = await loggedIn();
    rig.clock.now += 30 * DAY - 1;
    const second = await useFor(rig, first);
    rig.clock.now += 30 * DAY;
    expect(await use(rig, second)).to.equal(null);
    expect(await reuses(rig)).to.equal(0);
  });

  it('ends every session 90 days after its log-in', async () => {
    const { rig, first } = await loggedIn();
    let token = first;
    for (let day = 20; day < 90; day += 20) {
      rig.clock.now += 20 * DAY;
      token = await useFor(rig, token);
    }
    rig.clock.now += 10 * DAY - 1;
    token = await useFor(rig, token);
    rig.clock.now += 1;
    expect(await use(rig, token)).to.equal(null);
  });

  it('refuses whatever it never issued', async () => {
    const { rig, first } = await loggedIn();
    const { tokens } = await rig.auth.logIn(rig.by(), ANN).then((l) => l ?? expect.fail('not logged in'));
    const changed = `${first.slice(0, -2)}${first.at(-2) === 'A' ? 'B' : 'A'}${first.at(-1)}`;
    for (const token of [
      '',
      'rt_',
      first.slice(0, -1),
      `${first}A`,
      ` ${first}`,
      `${first}\n`,
      changed,
      tokens.accessToken,
    ]) {
      expect(await use(rig, token)).to.equal(null);
    }
    expect(await use(rig, first)).to.not.equal(null);
  });
});
