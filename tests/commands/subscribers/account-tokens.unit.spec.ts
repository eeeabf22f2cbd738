// The owner of a purchase by its account token: a claim with a public key transfers no purchase, and a receipt always wins.
import { expect } from 'chai';
import { createApiKey, deleteApiKey } from '../../../src/commands/projects/projects.js';
import { Rejection, Unavailable } from '../../../src/domain/errors.js';
import { crashingLog, type CrashingLog } from '../support/crashing-log.js';
import { eventsOf } from '../support/memory-deps.js';
import { createTokenFixture, type By, type TokenFixture } from '../support/token-fixture.js';

const T = '6f9619ff-8b86-4011-b42d-00c04fc964ff';
const LIFETIME = { type: 'Non-Consumable', productId: 'com.example.lifetime' } as const;
const behaviours = ['transfer', 'transfer_if_no_active', 'keep'] as const;
const rejected = (err: unknown) => (err instanceof Rejection ? err.code : err);

/** The two ways to claim the token; each names the customer. */
const claims = {
  'an app user id': { who: T, claim: (fixture: TokenFixture, by: By) => fixture.make(T, by) },
  'the attribute': { who: 'cleo', claim: (fixture: TokenFixture, by: By) => fixture.write('cleo', by, T) },
} as const;

describe('a purchase with an account token', () => {
  for (const [name, { who, claim }] of Object.entries(claims)) {
    for (const bought of [{}, LIFETIME]) {
      const what = 'type' in bought ? 'a one-time purchase' : 'a subscription';

      it(`does not transfer ${what} on a claim by a public key only, by ${name}`, async () => {
        const fixture = await createTokenFixture();
        await claim(fixture, 'public');
        await fixture.buy('tx_1', T, bought);
        await fixture.settle();
        expect(await fixture.holder('tx_1')).to.equal('anonymous');
      });

      it(`gives ${what} to the customer whom a secret key claims by ${name}, before or after it`, async () => {
        for (const isBefore of [true, false]) {
          const fixture = await createTokenFixture();
          if (isBefore) await claim(fixture, 'secret');
          await fixture.buy('tx_1', T, bought);
          if (!isBefore) await claim(fixture, 'secret');
          await fixture.settle();
          expect(await fixture.holder('tx_1'), `before: ${isBefore}`).to.equal(who);
        }
      });
    }

    it(`moves to the customer whom a secret key confirms later by ${name}`, async () => {
      const fixture = await createTokenFixture();
      await claim(fixture, 'public');
      await fixture.buy('tx_1', T);
      await (name === 'the attribute' ? claim(fixture, 'secret') : fixture.post(T, 'secret'));
      await fixture.settle();
      expect(await fixture.holder('tx_1')).to.equal(who);
    });

    it(`moves once an accepted receipt with the token confirms ${name}, whichever came first`, async () => {
      for (const isClaimFirst of [true, false]) {
        const fixture = await createTokenFixture();
        await fixture.buy('tx_1', T);
        if (isClaimFirst) await claim(fixture, 'public');
        await fixture.present(who, fixture.line('tx_2', T));
        if (!isClaimFirst) await claim(fixture, 'public');
        await fixture.settle();
        expect(await fixture.holder('tx_1'), `claim first: ${isClaimFirst}`).to.equal(who);
      }
    });

    it(`stays anonymous if the receipt of ${name} has another token`, async () => {
      const fixture = await createTokenFixture();
      await claim(fixture, 'public');
      await fixture.buy('tx_1', T);
      await fixture.present(who, fixture.line('tx_2', 'another'));
      await fixture.settle();
      expect(await fixture.holder('tx_1')).to.equal('anonymous');
    });
  }

  it('moves when a later message of the store brings the token', async () => {
    const fixture = await createTokenFixture();
    await fixture.make(T, 'secret');
    await fixture.buy('tx_1');
    expect(await fixture.holder('tx_1')).to.equal('anonymous');
    await fixture.renew('tx_1', T.toUpperCase());
    expect(await fixture.holder('tx_1')).to.equal(T);
    expect(await fixture.holders('tx_1')).to.deep.equal({ [T]: ['tx_1', 'tx_1.1'] });
  });

  it('stays while the token of a later message is unknown, until it is claimed', async () => {
    const fixture = await createTokenFixture();
    await fixture.buy('tx_1');
    await fixture.renew('tx_1', T);
    await fixture.write('cleo', 'secret', T);
    await fixture.settle();
    expect(await fixture.holder('tx_1')).to.equal('cleo');
  });

  it('stays unclaimed for a receipt with the token from a customer who does not claim it', async () => {
    const fixture = await createTokenFixture();
    await fixture.buy('tx_1', T);
    await fixture.present('ann', fixture.line('tx_2', T));
    await fixture.settle();
    expect(await fixture.holder('tx_1')).to.equal('anonymous');
  });

  it('stays with its holder when the claim is withdrawn', async () => {
    const fixture = await createTokenFixture();
    await fixture.write('cleo', 'secret', T);
    await fixture.buy('tx_1', T);
    await fixture.write('cleo', 'secret', null);
    await fixture.renew('tx_1', T);
    await fixture.settle();
    expect(await fixture.holder('tx_1')).to.equal('cleo');
  });

  it('that is shared in a family names no owner', async () => {
    const fixture = await createTokenFixture();
    await fixture.make(T, 'secret');
    const shared = { inAppOwnershipType: 'FAMILY_SHARED' } as const;
    await fixture.buy('tx_1', T, shared);
    await fixture.write('cleo', 'public', 'of the family');
    await fixture.present('cleo', fixture.line('tx_2', 'of the family', shared));
    await fixture.buy('tx_3', 'of the family');
    await fixture.settle();
    expect([await fixture.holder('tx_1'), await fixture.holder('tx_3')]).to.deep.equal(['anonymous', 'anonymous']);
  });

  it('of production is not given away by a receipt of the sandbox, which costs nothing', async () => {
    const fixture = await createTokenFixture();
    const sandbox = { environment: 'Sandbox' } as const;
    await fixture.make(T, 'public');
    await fixture.present(T, fixture.line('tx_1', T, sandbox));
    await fixture.buy('tx_2', T);
    await fixture.buy('tx_3', T, sandbox);
    await fixture.settle();
    expect([await fixture.holder('tx_2'), await fixture.holder('tx_3')]).to.deep.equal(['anonymous', T]);
  });
});

describe('a customer whom a receipt makes', () => {
  for (const by of ['secret', 'public'] as const) {
    it(`has ${by === 'secret' ? 'a' : 'no'} trusted app user id with a ${by} key, with and without a former owner`, async () => {
      for (const before of ['nobody', 'anonymous', 'ann'] as const) {
        const fixture = await createTokenFixture();
        if (before === 'anonymous') await fixture.buy('tx_1');
        if (before === 'ann') await fixture.present('ann', fixture.line('tx_1'));
        await fixture.present(T, fixture.line('tx_1'), by);
        await fixture.buy('tx_2', T);
        await fixture.settle();
        expect(await fixture.holder('tx_2'), before).to.equal(by === 'secret' ? T : 'anonymous');
      }
    });
  }
});

describe('several claims on one account token', () => {
  it('of trusted callers do not transfer the purchase before a receipt', async () => {
    for (const transferBehavior of behaviours) {
      const fixture = await createTokenFixture({ transferBehavior });
      await fixture.make(T, 'secret');
      await fixture.write('cleo', 'secret', T);
      await fixture.buy('tx_1', T);
      await fixture.settle();
      expect(await fixture.holder('tx_1')).to.equal('anonymous');
      await fixture.present('cleo', fixture.line('tx_1', T));
      await fixture.settle();
      expect(await fixture.holder('tx_1')).to.equal('cleo');
    }
  });

  it('count without those of public keys', async () => {
    const fixture = await createTokenFixture();
    await fixture.write('cleo', 'secret', T);
    await fixture.make(T, 'public');
    await fixture.write('eve', 'public', T);
    await fixture.buy('tx_1', T);
    await fixture.settle();
    expect(await fixture.holder('tx_1')).to.equal('cleo');
  });

  it('of one person are one, from the moment that they are merged', async () => {
    const fixture = await createTokenFixture();
    await fixture.write('$anon:1', 'secret', T);
    await fixture.write('cleo', 'secret', T);
    await fixture.buy('tx_1', T);
    await fixture.settle();
    expect(await fixture.holder('tx_1')).to.equal('anonymous');
    await fixture.logIn('$anon:1', 'cleo');
    await fixture.settle();
    expect(await fixture.holder('tx_1')).to.equal('cleo');
  });

  it('leave one when the other customer is erased, or withdraws', async () => {
    const ways: readonly [string, (fixture: TokenFixture) => Promise<unknown>][] = [
      ['ben', (fixture) => fixture.erase(T)],
      [T, (fixture) => fixture.write('ben', 'secret', null)],
    ];
    for (const [left, leave] of ways) {
      const fixture = await createTokenFixture();
      await fixture.make(T, 'secret');
      await fixture.write('ben', 'secret', T);
      await fixture.buy('tx_1', T);
      await fixture.settle();
      expect(await fixture.holder('tx_1')).to.equal('anonymous');
      await leave(fixture);
      await fixture.settle();
      expect(await fixture.holder('tx_1')).to.equal(left);
    }
  });

  it('do not count for an erased customer, who gets the purchase after a return', async () => {
    const fixture = await createTokenFixture();
    await fixture.make(T, 'secret');
    await fixture.erase(T);
    await fixture.buy('tx_1', T);
    await fixture.settle();
    expect(await fixture.holder('tx_1')).to.equal('anonymous');
    await fixture.make(T, 'public');
    await fixture.settle();
    expect(await fixture.holder('tx_1'), 'made by a public key').to.equal('anonymous');
    await fixture.post(T, 'secret');
    await fixture.settle();
    expect(await fixture.holder('tx_1')).to.equal(T);
  });
});

describe('a purchase that is held by a store notification only', () => {
  for (const transferBehavior of behaviours) {
    it(`yields to the first receipt of another customer, which holds from then on (${transferBehavior})`, async () => {
      const fixture = await createTokenFixture({ transferBehavior });
      await fixture.make(T, 'secret');
      await fixture.buy('tx_1', T);
      expect(await fixture.holder('tx_1')).to.equal(T);
      await fixture.present('buyer', fixture.line('tx_1', T));
      expect(await fixture.holder('tx_1')).to.equal('buyer');
      await fixture.renew('tx_1', T);
      await fixture.settle();
      expect(await fixture.holders('tx_1')).to.deep.equal({ buyer: ['tx_1', 'tx_1.1'] });
      if (transferBehavior === 'transfer') return;
      expect(await fixture.present('eve', fixture.line('tx_1', T)).catch(rejected)).to.equal('receipt-owned');
      expect(await fixture.present(T, fixture.line('tx_1', T)).catch(rejected)).to.equal('receipt-owned');
      expect(await fixture.holder('tx_1')).to.equal('buyer');
    });

    it(`is held by a receipt once its holder presents one (${transferBehavior})`, async () => {
      const fixture = await createTokenFixture({ transferBehavior });
      await fixture.make(T, 'secret');
      await fixture.buy('tx_1', T);
      for (let n = 0; n < 2; n++) await fixture.present(T, fixture.line('tx_1', T));
      const eve = await fixture.present('eve', fixture.line('tx_1', T)).catch(rejected);
      if (transferBehavior !== 'transfer') expect(eve).to.equal('receipt-owned');
      expect(await fixture.holder('tx_1')).to.equal(transferBehavior === 'transfer' ? 'eve' : T);
    });

    it(`stays with who was merged by a receipt (${transferBehavior})`, async () => {
      const fixture = await createTokenFixture({ transferBehavior });
      await fixture.buy('tx_1');
      await fixture.present('$anon:device', fixture.line('tx_1'));
      await fixture.logIn('$anon:device', 'ann');
      await fixture.settle();
      const eve = await fixture.present('eve', fixture.line('tx_1')).catch(rejected);
      if (transferBehavior !== 'transfer') expect(eve).to.equal('receipt-owned');
      expect(await fixture.holder('tx_1')).to.equal(transferBehavior === 'transfer' ? 'eve' : 'ann');
    });
  }

  it('is not moved by a claim once it was given to a name', async () => {
    const fixture = await createTokenFixture();
    await fixture.make(T, 'secret');
    await fixture.buy('tx_1', T);
    await fixture.write('cleo', 'secret', 'other');
    await fixture.renew('tx_1', 'other');
    await fixture.settle();
    expect(await fixture.holder('tx_1')).to.equal(T);
  });
});

describe('claims of an older version', () => {
  const unknown = { source: 'sdk', country: null, platform: null, appVersion: null };
  const keyOf = async (fixture: TokenFixture, kind: 'secret' | 'public') => {
    const made = { name: kind, kind, appId: kind === 'public' ? fixture.app.appId : null, scopes: [], expiresAt: null };
    return (await createApiKey(fixture.deps, fixture.by(), fixture.projectId, made)).keyId;
  };

  it('count where the recorded key was a secret one, also after its deletion', async () => {
    for (const kind of ['secret', 'public'] as const) {
      for (const what of ['created', 'attribute'] as const) {
        const fixture = await createTokenFixture();
        const keyId = await keyOf(fixture, kind);
        const actor = { kind: 'api_key' as const, id: keyId };
        const who = what === 'created' ? T : 'cleo';
        await fixture.appendOld(who, actor, 'CustomerCreated', { appUserId: who, ...unknown });
        const attributes = { $appAccountToken: { value: T, updatedAt: fixture.clock.iso() } };
        if (what === 'attribute') await fixture.appendOld(who, actor, 'CustomerAttributesUpdated', { attributes });
        await deleteApiKey(fixture.deps, fixture.by(), fixture.projectId, keyId);
        await fixture.buy('tx_1', T);
        await fixture.settle();
        expect(await fixture.holder('tx_1'), `${kind} ${what}`).to.equal(kind === 'secret' ? who : 'anonymous');
      }
    }
  });

  it('count where a user made the customer', async () => {
    const fixture = await createTokenFixture();
    const user = { kind: 'user' as const, id: 'user_1' };
    await fixture.appendOld(T, user, 'CustomerCreated', { appUserId: T, ...unknown });
    await fixture.buy('tx_1', T);
    expect(await fixture.holder('tx_1')).to.equal(T);
  });
});

describe('a purchase that a token gives away', () => {
  const lives: Readonly<Record<string, (fixture: TokenFixture) => Promise<unknown>>> = {
    'by a claim': (fixture) => fixture.write('cleo', 'secret', T),
    'by a message': (fixture) => fixture.renew('tx_1', T),
  };
  for (const [name, cut] of Object.entries(lives)) {
    for (const moment of ['before', 'after'] as const) {
      it(`${name} is given once, cut ${moment} any append`, async () => {
        for (let n = 1, isCut = true; isCut; n++) {
          const fixture = await createTokenFixture({ wrapLog: crashingLog });
          const log = fixture.deps.log as CrashingLog;
          if (name === 'by a message') await fixture.write('cleo', 'secret', T);
          await fixture.buy('tx_1', name === 'by a message' ? undefined : T);
          log.failAt(n, moment);
          const step = async () => {
            await cut(fixture);
            await fixture.settle();
          };
          await step().catch((err: unknown) => {
            if (!(err instanceof Unavailable)) throw err;
          });
          isCut = log.appends() >= n;
          log.failAt(0, moment);
          await step();
          expect(await fixture.holder('tx_1'), `cut at append ${n}`).to.equal('cleo');
          const bought = (await eventsOf(fixture.deps.log)).filter((e) => e.type === 'SubscriptionStarted');
          expect(bought, `cut at append ${n}`).to.have.length(1);
        }
      });
    }
  }
});
