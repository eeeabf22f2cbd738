// Random lives of account tokens: after every step each purchase is where a plain statement of the rule says.
import { expect } from 'chai';
import { Rejection } from '../../../src/domain/errors.js';
import { chance, withSeed, type Chance } from '../../projections/support/seeded-random.js';
import { createTokenFixture, type By, type TokenFixture } from '../support/token-fixture.js';

const HISTORIES = Number(process.env['TOKEN_HISTORIES'] ?? 4);
const STEPS = 16;
const TOKENS = ['6f9619ff-8b86-4011-b42d-00c04fc964ff', '7f9619ff-8b86-4011-b42d-00c04fc964ff'] as const;
/** The first is a customer under its token; `$anon:1` has receipts and logs in, and claims nothing. */
const CLAIMANTS = [TOKENS[0], 'ann', 'ben'] as const;
const PRESENTERS = [...CLAIMANTS, '$anon:1'] as const;
const LINES = ['tx_1', 'tx_2', 'tx_3'] as const;

type LineModel = { holder: string; hasReceipt: boolean; token: string | undefined };

/** The rule, without streams, read models or reactions. */
function createModel(behaviour: 'transfer' | 'keep') {
  const lines = new Map<string, LineModel>();
  const into = new Map<string, string>();
  let isIdTrusted = false;
  let isIdKnown = false;
  const attributes = new Map<string, { token: string; isTrusted: boolean }>();
  const receipts: { who: string; token: string }[] = [];

  const person = (name: string): string => {
    const next = into.get(name);
    return next === undefined ? name : person(next);
  };
  const isAnonymous = (name: string) => name.startsWith('$anon:');
  const hasReceipt = (who: string, token: string) =>
    receipts.some((r) => person(r.who) === person(who) && r.token === token);
  const trusted = (token: string): Set<string> => {
    const found = new Set<string>();
    const [own] = TOKENS;
    if (token === own && isIdKnown && (isIdTrusted || hasReceipt(own, token))) found.add(own);
    for (const [who, claim] of attributes)
      if (claim.token === token && (claim.isTrusted || hasReceipt(who, token))) found.add(who);
    return found;
  };
  const give = () => {
    for (const line of lines.values()) {
      if (line.hasReceipt || !line.holder.startsWith('$anon:of ') || line.token === undefined) continue;
      const [sole, ...others] = trusted(line.token);
      if (sole === undefined || others.length > 0) continue;
      into.set(line.holder, sole);
      line.holder = sole;
    }
  };
  const know = (who: string) => {
    if (who === TOKENS[0]) isIdKnown = true;
  };
  return {
    make: (by: By) => {
      if (!isIdKnown) isIdTrusted = by === 'secret';
      know(TOKENS[0]);
      give();
    },
    post: (by: By) => {
      isIdTrusted ||= by === 'secret';
      know(TOKENS[0]);
      give();
    },
    write: (who: string, by: By, token: string | null) => {
      if (who === TOKENS[0]) isIdTrusted ||= by === 'secret';
      know(who);
      const before = attributes.get(who);
      if (by === 'secret' || !before?.isTrusted) {
        if (token === null) attributes.delete(who);
        else attributes.set(who, { token, isTrusted: by === 'secret' });
      }
      give();
    },
    message: (id: string, token: string | undefined) => {
      const line = lines.get(id) ?? { holder: `$anon:of ${id}`, hasReceipt: false, token: undefined };
      lines.set(id, line);
      if (!line.hasReceipt && token !== undefined) line.token = token;
      give();
    },
    present: (who: string, id: string, token: string | undefined, by: By): boolean => {
      const line = lines.get(id) ?? { holder: person(who), hasReceipt: false, token: undefined };
      const holder = person(line.holder);
      const isMine = holder === person(who);
      if (!isMine && line.hasReceipt && behaviour === 'keep' && !isAnonymous(holder)) return false;
      lines.set(id, line);
      if (who === TOKENS[0] && !isIdKnown) isIdTrusted = by === 'secret';
      know(who);
      if (!isMine && isAnonymous(holder)) {
        // A merge of two anonymous customers may keep either; the model keeps the device's.
        into.set(holder, person(who));
      }
      line.holder = person(who);
      line.hasReceipt = true;
      if (token !== undefined) receipts.push({ who, token });
      give();
      return true;
    },
    logIn: (previous: string, who: string) => {
      if (person(previous) !== previous || ![...lines.values()].some((l) => person(l.holder) === previous)) return;
      into.set(previous, person(who));
      know(who);
      give();
    },
    holders: () =>
      Object.fromEntries(
        [...lines].map(([id, { holder }]) => [id, isAnonymous(person(holder)) ? 'anonymous' : person(holder)]),
      ),
  };
}

async function play(random: Chance): Promise<void> {
  const pick = <T>(all: readonly T[]): T => all[random.below(all.length)] as T;
  const behaviour = pick(['transfer', 'keep'] as const);
  const fixture: TokenFixture = await createTokenFixture({ transferBehavior: behaviour });
  const model = createModel(behaviour);
  const story: string[] = [behaviour];
  const by = () => pick<By>(['public', 'secret']);
  const steps: readonly (() => Promise<void>)[] = [
    async () => {
      const [with_, isMade] = [by(), random.below(2) === 0];
      story.push(`${isMade ? 'make' : 'post'} ${with_}`);
      await (isMade ? fixture.make(TOKENS[0], with_) : fixture.post(TOKENS[0], with_));
      if (isMade) model.make(with_);
      else model.post(with_);
    },
    async () => {
      const [who, with_, token] = [pick(CLAIMANTS), by(), pick([...TOKENS, ...TOKENS, null])];
      story.push(`write ${who} ${with_} ${token}`);
      await fixture.write(who, with_, token);
      model.write(who, with_, token);
    },
    async () => {
      const [id, token, n] = [pick(LINES), pick([...TOKENS, undefined]), story.length];
      story.push(`message ${id} ${token}`);
      await fixture.renew(id, token, n);
      model.message(id, token);
    },
    async () => {
      const [who, id, token, with_] = [pick(PRESENTERS), pick(LINES), pick([...TOKENS, undefined]), by()];
      story.push(`receipt ${who} ${id} ${token} ${with_}`);
      const accepted = await fixture.present(who, fixture.line(id, token), with_).then(
        () => true,
        (err: unknown) => {
          if (!(err instanceof Rejection)) throw err;
          return false;
        },
      );
      expect(model.present(who, id, token, with_), story.join('\n')).to.equal(accepted);
    },
    async () => {
      const who = pick(CLAIMANTS);
      story.push(`log in ${who}`);
      await fixture.logIn('$anon:1', who);
      model.logIn('$anon:1', who);
    },
  ];
  for (let n = 0; n < STEPS; n++) {
    await pick(steps)();
    if (random.below(3) === 0) await fixture.processAll();
    await fixture.settle();
    const held = Object.fromEntries(
      await Promise.all(LINES.map(async (id) => [id, await fixture.holder(id)] as const)),
    );
    const known = Object.fromEntries(Object.entries(held).filter(([, holder]) => holder !== null));
    expect(known, story.join('\n')).to.deep.equal(model.holders());
  }
}

describe('account tokens in random order', () => {
  it('give each purchase to whom the rule names', async function () {
    this.timeout(120_000);
    const random = chance();
    await withSeed(random, async () => {
      for (let n = 0; n < HISTORIES; n++) await play(random);
    });
  });
});
