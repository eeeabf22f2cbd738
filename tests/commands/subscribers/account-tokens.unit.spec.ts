// The owner of a purchase by its account token: a claim with a public key transfers no purchase, and a receipt always wins.
import { expect } from 'chai';
import { createApiKey, deleteApiKey } from '../../../src/commands/projects/projects.js';
import { Rejection, Unavailable } from '../../../src/domain/errors.js';
import { crashingLog, type CrashingLog } from '../support/crashing-log.js';
import { eventsOf } from '../support/memory-deps.js';
import { createTokenWorld, type By, type TokenWorld } from '../support/token-world.js';

const T = '6f9619ff-8b86-4011-b42d-00c04fc964ff';
const LIFETIME = { type: 'Non-Consumable', productId: 'com.example.lifetime' } as const;
const behaviours = ['transfer', 'transfer_if_no_active', 'keep'] as const;
const rejected = (err: unknown) => (err instanceof Rejection ? err.code : err);

/** The two ways to claim the token; each names the customer. */
const claims = {
  'an app user id': { who: T, claim: (world: TokenWorld, by: By) => world.make(T, by) },
  'the attribute': { who: 'cleo', claim: (world: TokenWorld, by: By) => world.write('cleo', by, T) },
} as const;

describe('a purchase with an account token', () => {
  for (const [name, { who, claim }] of Object.entries(claims)) {
    for (const bought of [{}, LIFETIME]) {
      const what = 'type' in bought ? 'a one-time purchase' : 'a subscription';

      it(`does not transfer ${what} on a claim by a public key only, by ${name}`, async () => {
        const world = await createTokenWorld();
        await claim(world, 'public');
        await world.buy('tx_1', T, bought);
        await world.settle();
        expect(await world.holder('tx_1')).to.equal('anonymous');
      });

      it(`gives ${what} to the customer whom a secret key claims by ${name}, before or after it`, async () => {
        for (const isBefore of [true, false]) {
          const world = await createTokenWorld();
          if (isBefore) await claim(world, 'secret');
          await world.buy('tx_1', T, bought);
          if (!isBefore) await claim(world, 'secret');
          await world.settle();
          expect(await world.holder('tx_1'), `before: ${isBefore}`).to.equal(who);
        }
      });
    }

    it(`moves to the customer whom a secret key confirms later by ${name}`, async () => {
      const world = await createTokenWorld();
      await claim(world, 'public');
      await world.buy('tx_1', T);
      await (name === 'the attribute' ? claim(world, 'secret') : world.post(T, 'secret'));
      await world.settle();
      expect(await world.holder('tx_1')).to.equal(who);
    });

    it(`moves once an accepted receipt with the token confirms ${name}, whichever came first`, async () => {
      for (const isClaimFirst of [true, false]) {
        const world = await createTokenWorld();
        await world.buy('tx_1', T);
        if (isClaimFirst) await claim(world, 'public');
        await world.present(who, world.line('tx_2', T));
        if (!isClaimFirst) await claim(world, 'public');
        await world.settle();
        expect(await world.holder('tx_1'), `claim first: ${isClaimFirst}`).to.equal(who);
      }
    });

    it(`stays anonymous if the receipt of ${name} has another token`, async () => {
      const world = await createTokenWorld();
      await claim(world, 'public');
      await world.buy('tx_1', T);
      await world.present(who, world.line('tx_2', 'another'));
      await world.settle();
      expect(await world.holder('tx_1')).to.equal('anonymous');
    });
  }

  it('moves when a later message of the store brings the token', async () => {
    const world = await createTokenWorld();
    await world.make(T, 'secret');
    await world.buy('tx_1');
    expect(await world.holder('tx_1')).to.equal('anonymous');
    await world.renew('tx_1', T.toUpperCase());
    expect(await world.holder('tx_1')).to.equal(T);
    expect(await world.holders('tx_1')).to.deep.equal({ [T]: ['tx_1', 'tx_1.1'] });
  });

  it('stays while the token of a later message is unknown, until it is claimed', async () => {
    const world = await createTokenWorld();
    await world.buy('tx_1');
    await world.renew('tx_1', T);
    await world.write('cleo', 'secret', T);
    await world.settle();
    expect(await world.holder('tx_1')).to.equal('cleo');
  });

  it('stays unclaimed for a receipt with the token from a customer who does not claim it', async () => {
    const world = await createTokenWorld();
    await world.buy('tx_1', T);
    await world.present('ann', world.line('tx_2', T));
    await world.settle();
    expect(await world.holder('tx_1')).to.equal('anonymous');
  });

  it('stays with its holder when the claim is withdrawn', async () => {
    const world = await createTokenWorld();
    await world.write('cleo', 'secret', T);
    await world.buy('tx_1', T);
    await world.write('cleo', 'secret', null);
    await world.renew('tx_1', T);
    await world.settle();
    expect(await world.holder('tx_1')).to.equal('cleo');
  });

  it('that is shared in a family names no owner', async () => {
    const world = await createTokenWorld();
    await world.make(T, 'secret');
    const shared = { inAppOwnershipType: 'FAMILY_SHARED' } as const;
    await world.buy('tx_1', T, shared);
    await world.write('cleo', 'public', 'of the family');
    await world.present('cleo', world.line('tx_2', 'of the family', shared));
    await world.buy('tx_3', 'of the family');
    await world.settle();
    expect([await world.holder('tx_1'), await world.holder('tx_3')]).to.deep.equal(['anonymous', 'anonymous']);
  });

  it('of production is not given away by a receipt of the sandbox, which costs nothing', async () => {
    const world = await createTokenWorld();
    const sandbox = { environment: 'Sandbox' } as const;
    await world.make(T, 'public');
    await world.present(T, world.line('tx_1', T, sandbox));
    await world.buy('tx_2', T);
    await world.buy('tx_3', T, sandbox);
    await world.settle();
    expect([await world.holder('tx_2'), await world.holder('tx_3')]).to.deep.equal(['anonymous', T]);
  });
});

describe('a customer whom a receipt makes', () => {
  for (const by of ['secret', 'public'] as const) {
    it(`has ${by === 'secret' ? 'a' : 'no'} trusted app user id with a ${by} key, whoever held the purchase`, async () => {
      for (const before of ['nobody', 'anonymous', 'ann'] as const) {
        const world = await createTokenWorld();
        if (before === 'anonymous') await world.buy('tx_1');
        if (before === 'ann') await world.present('ann', world.line('tx_1'));
        await world.present(T, world.line('tx_1'), by);
        await world.buy('tx_2', T);
        await world.settle();
        expect(await world.holder('tx_2'), before).to.equal(by === 'secret' ? T : 'anonymous');
      }
    });
  }
});

describe('several claims on one account token', () => {
  it('of trusted callers do not transfer the purchase before a receipt', async () => {
    for (const transferBehavior of behaviours) {
      const world = await createTokenWorld({ transferBehavior });
      await world.make(T, 'secret');
      await world.write('cleo', 'secret', T);
      await world.buy('tx_1', T);
      await world.settle();
      expect(await world.holder('tx_1')).to.equal('anonymous');
      await world.present('cleo', world.line('tx_1', T));
      await world.settle();
      expect(await world.holder('tx_1')).to.equal('cleo');
    }
  });

  it('count without those of public keys', async () => {
    const world = await createTokenWorld();
    await world.write('cleo', 'secret', T);
    await world.make(T, 'public');
    await world.write('eve', 'public', T);
    await world.buy('tx_1', T);
    await world.settle();
    expect(await world.holder('tx_1')).to.equal('cleo');
  });

  it('of one person are one, from the moment that they are merged', async () => {
    const world = await createTokenWorld();
    await world.write('$anon:1', 'secret', T);
    await world.write('cleo', 'secret', T);
    await world.buy('tx_1', T);
    await world.settle();
    expect(await world.holder('tx_1')).to.equal('anonymous');
    await world.logIn('$anon:1', 'cleo');
    await world.settle();
    expect(await world.holder('tx_1')).to.equal('cleo');
  });

  it('leave one when the other customer is erased, or withdraws', async () => {
    const ways: readonly [string, (world: TokenWorld) => Promise<unknown>][] = [
      ['ben', (world) => world.erase(T)],
      [T, (world) => world.write('ben', 'secret', null)],
    ];
    for (const [left, leave] of ways) {
      const world = await createTokenWorld();
      await world.make(T, 'secret');
      await world.write('ben', 'secret', T);
      await world.buy('tx_1', T);
      await world.settle();
      expect(await world.holder('tx_1')).to.equal('anonymous');
      await leave(world);
      await world.settle();
      expect(await world.holder('tx_1')).to.equal(left);
    }
  });

  it('do not count for an erased customer, who gets the purchase after a return', async () => {
    const world = await createTokenWorld();
    await world.make(T, 'secret');
    await world.erase(T);
    await world.buy('tx_1', T);
    await world.settle();
    expect(await world.holder('tx_1')).to.equal('anonymous');
    await world.make(T, 'public');
    await world.settle();
    expect(await world.holder('tx_1'), 'made by a public key').to.equal('anonymous');
    await world.post(T, 'secret');
    await world.settle();
    expect(await world.holder('tx_1')).to.equal(T);
  });
});

describe('a purchase that is held by a store notification only', () => {
  for (const transferBehavior of behaviours) {
    it(`yields to the first receipt of another customer, which holds from then on (${transferBehavior})`, async () => {
      const world = await createTokenWorld({ transferBehavior });
      await world.make(T, 'secret');
      await world.buy('tx_1', T);
      expect(await world.holder('tx_1')).to.equal(T);
      await world.present('buyer', world.line('tx_1', T));
      expect(await world.holder('tx_1')).to.equal('buyer');
      await world.renew('tx_1', T);
      await world.settle();
      expect(await world.holders('tx_1')).to.deep.equal({ buyer: ['tx_1', 'tx_1.1'] });
      if (transferBehavior === 'transfer') return;
      expect(await world.present('eve', world.line('tx_1', T)).catch(rejected)).to.equal('receipt-owned');
      expect(await world.present(T, world.line('tx_1', T)).catch(rejected)).to.equal('receipt-owned');
      expect(await world.holder('tx_1')).to.equal('buyer');
    });

    it(`is held by a receipt once its holder presents one (${transferBehavior})`, async () => {
      const world = await createTokenWorld({ transferBehavior });
      await world.make(T, 'secret');
      await world.buy('tx_1', T);
      for (let n = 0; n < 2; n++) await world.present(T, world.line('tx_1', T));
      const eve = await world.present('eve', world.line('tx_1', T)).catch(rejected);
      if (transferBehavior !== 'transfer') expect(eve).to.equal('receipt-owned');
      expect(await world.holder('tx_1')).to.equal(transferBehavior === 'transfer' ? 'eve' : T);
    });

    it(`stays with who was merged by a receipt (${transferBehavior})`, async () => {
      const world = await createTokenWorld({ transferBehavior });
      await world.buy('tx_1');
      await world.present('$anon:device', world.line('tx_1'));
      await world.logIn('$anon:device', 'ann');
      await world.settle();
      const eve = await world.present('eve', world.line('tx_1')).catch(rejected);
      if (transferBehavior !== 'transfer') expect(eve).to.equal('receipt-owned');
      expect(await world.holder('tx_1')).to.equal(transferBehavior === 'transfer' ? 'eve' : 'ann');
    });
  }

  it('is not moved by a claim once it was given to a name', async () => {
    const world = await createTokenWorld();
    await world.make(T, 'secret');
    await world.buy('tx_1', T);
    await world.write('cleo', 'secret', 'other');
    await world.renew('tx_1', 'other');
    await world.settle();
    expect(await world.holder('tx_1')).to.equal(T);
  });
});

describe('claims of an older version', () => {
  const unknown = { source: 'sdk', country: null, platform: null, appVersion: null };
  const keyOf = async (world: TokenWorld, kind: 'secret' | 'public') => {
    const made = { name: kind, kind, appId: kind === 'public' ? world.app.appId : null, scopes: [], expiresAt: null };
    return (await createApiKey(world.deps, world.by(), world.projectId, made)).keyId;
  };

  it('count where the recorded key was a secret one, also after its deletion', async () => {
    for (const kind of ['secret', 'public'] as const) {
      for (const what of ['created', 'attribute'] as const) {
        const world = await createTokenWorld();
        const keyId = await keyOf(world, kind);
        const actor = { kind: 'api_key' as const, id: keyId };
        const who = what === 'created' ? T : 'cleo';
        await world.appendOld(who, actor, 'CustomerCreated', { appUserId: who, ...unknown });
        const attributes = { $appAccountToken: { value: T, updatedAt: world.clock.iso() } };
        if (what === 'attribute') await world.appendOld(who, actor, 'CustomerAttributesUpdated', { attributes });
        await deleteApiKey(world.deps, world.by(), world.projectId, keyId);
        await world.buy('tx_1', T);
        await world.settle();
        expect(await world.holder('tx_1'), `${kind} ${what}`).to.equal(kind === 'secret' ? who : 'anonymous');
      }
    }
  });

  it('count where a user made the customer', async () => {
    const world = await createTokenWorld();
    const user = { kind: 'user' as const, id: 'user_1' };
    await world.appendOld(T, user, 'CustomerCreated', { appUserId: T, ...unknown });
    await world.buy('tx_1', T);
    expect(await world.holder('tx_1')).to.equal(T);
  });
});

describe('a purchase that a token gives away', () => {
  const lives: Readonly<Record<string, (world: TokenWorld) => Promise<unknown>>> = {
    'by a claim': (world) => world.write('cleo', 'secret', T),
    'by a message': (world) => world.renew('tx_1', T),
  };
  for (const [name, cut] of Object.entries(lives)) {
    for (const moment of ['before', 'after'] as const) {
      it(`${name} is given once, cut ${moment} any append`, async () => {
        for (let n = 1, isCut = true; isCut; n++) {
          const world = await createTokenWorld({ wrapLog: crashingLog });
          const log = world.deps.log as CrashingLog;
          if (name === 'by a message') await world.write('cleo', 'secret', T);
          await world.buy('tx_1', name === 'by a message' ? undefined : T);
          log.failAt(n, moment);
          const step = async () => {
            await cut(world);
            await world.settle();
          };
          await step().catch((err: unknown) => {
            if (!(err instanceof Unavailable)) throw err;
          });
          isCut = log.appends() >= n;
          log.failAt(0, moment);
          await step();
          expect(await world.holder('tx_1'), `cut at append ${n}`).to.equal('cleo');
          const bought = (await eventsOf(world.deps.log)).filter((e) => e.type === 'SubscriptionStarted');
          expect(bought, `cut at append ${n}`).to.have.length(1);
        }
      });
    }
  }
});
