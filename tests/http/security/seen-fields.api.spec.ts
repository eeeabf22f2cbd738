// Random customers, asked about over every path by callers who may not see everything. What each may see follows from lists of names and
// from the very amounts and words that were sent, written down here: the marks in the code under test are not looked at.
import { expect } from 'chai';
import { startReceiver } from '../../adapters/outbound/receiver.js';
import { chance, withSeed } from '../../projections/support/seeded-random.js';
import { setUpProject, startHarness } from '../support/harness.js';
import type { Credentials, Harness, Json, Slice } from '../support/harness.js';
import { AMOUNTS, MAX_HISTORY_MS, pathsAbout, playLives, SIGNED, WORDS } from '../support/random-customers.js';
import { createManualClock } from '../support/manual-clock.js';
import { newMember, PASSWORD } from '../support/team.js';

const NOW = Date.parse('2026-11-20T10:00:00.000Z');
const LIVES = Number(process.env['LIVES'] ?? 8);
/** So many paths are drawn for each caller. */
const DRAWN = Number(process.env['REQUESTS'] ?? 60);
const egress = {
  EGRESS_ALLOW_CIDRS: '127.0.0.1/32',
  EGRESS_ALLOW_HTTP: 'true',
  WEBHOOK_RETRY_SCHEDULE_SECONDS: '0,0.05',
};

/** Groups of restricted fields that a caller sees. */
type Sees = { readonly money: boolean; readonly personal: boolean; readonly secret: boolean };
const ALL: Sees = { money: true, personal: true, secret: true };
const MONEY = new Set([
  ...['totalSpentUsd', 'amount', 'amountUsd', 'refundedUsd', 'totalRevenueUsd', 'money', 'previous', 'newPrice'],
  ...['share', 'refundedShare', 'spentMicros', 'line', 'snapshot'],
  ...['realizedLtvUsd', 'realizedLtvPerCustomer', 'realizedLtvPerPayingCustomer', 'mrr', 'mrrPerCustomer'],
]);
/** Figures of an experiment's primary metric, which may be amounts. */
const OF_PRIMARY = new Set(['value', 'difference', 'interval']);
const OF_BODIES =
  /^(price|priceInPurchasedCurrency|currency|(tax|commission|takehome)Percentage|newPrice|newPriceCurrency)$/;
const PERSONAL = new Set(['attributes', 'body', 'properties']);
const BOTH = new Set(['rawBody', 'responseSnippet', 'words', 'error']);
/** Fields of a delivery that may change between two reads; the text of the response is searched nevertheless. */
const OF_SENDING = new Set(['stats24h', 'lastDelivery', 'state', 'attempts', 'nextAttemptAt']);
const SECRET = new Set(['notificationUrl', 'secretPreview']);

const isLeftOut = (name: string, sees: Sees) =>
  (MONEY.has(name) && !sees.money) ||
  (PERSONAL.has(name) && !sees.personal) ||
  (BOTH.has(name) && !(sees.money && sees.personal)) ||
  (SECRET.has(name) && !sees.secret);

/** Redacts the owner's response for another caller. Sentences are compared as text only; catalogue prices are not restricted. */
function leftOf(value: Json, sees: Sees, name = ''): Json {
  if (name === 'prices') return value;
  if (name === 'summary') return 'a sentence';
  if (OF_SENDING.has(name)) return 'as it goes';
  if (Array.isArray(value)) return value.map((one) => leftOf(one, sees));
  if (name === 'body' && !sees.money && value !== null) return bodyWithoutMoney(String(value));
  if (typeof value !== 'object' || value === null) return value;
  const ofAttributes = value.type === 'CustomerAttributesUpdated' && !sees.personal;
  const ofPrimary = name === 'primary' && !sees.money;
  const left = Object.entries(value).filter(
    ([key]) => !isLeftOut(key, sees) && !(ofAttributes && key === 'data') && !(ofPrimary && OF_PRIMARY.has(key)),
  );
  return Object.fromEntries(left.map(([key, one]) => [key, leftOf(one, sees, key)]));
}

function bodyWithoutMoney(text: string): string {
  const { event, ...rest } = JSON.parse(text);
  const left = Object.entries(event).filter(([key]) => !OF_BODIES.test(camel(key)));
  return JSON.stringify({ ...rest, event: Object.fromEntries(left) });
}

const camel = (key: string) => key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

const callers: Readonly<Record<string, Sees>> = {
  admin: { money: true, personal: true, secret: true },
  analyst: { money: true, personal: false, secret: false },
  finance: { money: true, personal: false, secret: false },
  support: { money: false, personal: true, secret: false },
  viewer: { money: true, personal: false, secret: false },
  'key read': { money: true, personal: false, secret: false },
  'key write': { money: true, personal: false, secret: false },
  'key config': { money: true, personal: false, secret: true },
  'key finance': { money: true, personal: false, secret: false },
  'key pii': { money: true, personal: true, secret: false },
};

describe('what a caller may not see', () => {
  const clock = createManualClock(NOW - LIVES * MAX_HISTORY_MS);
  const random = chance();
  let harness: Harness;
  let slice: Slice;
  let receiver: Awaited<ReturnType<typeof startReceiver>>;
  const as = new Map<string, Credentials>();
  let paths: readonly string[];
  let transactions: readonly string[];

  before(async () => {
    harness = await startHarness(egress, clock.runtime);
    // It says back what it was sent.
    receiver = await startReceiver((res, { body }) => void res.writeHead(200).end(body));
    slice = await setUpProject(harness);
    await withSeed(random, async () => {
      await post('/webhooks', { url: `${receiver.url}/in` });
      const snake = await post('/webhooks', { url: `${receiver.url}/snake`, payloadFormat: 'snake_case' });
      expect(snake.status).to.equal(201);
      await post('/webhooks', { url: `${receiver.url}/revenuecat`, payloadFormat: 'revenuecat' });
      await experiment();
      const { email } = (await harness.call('GET', '/auth/me', undefined, { token: slice.token })).body;
      transactions = await playLives({ harness, slice, clock, random }, LIVES);
      clock.set(NOW);
      // The token of then has ended.
      const again = await harness.call('POST', '/auth/login', { email, password: PASSWORD });
      slice = { ...slice, token: again.body.accessToken };
      await harness.service().passDeadlines();
      await harness.service().idle();
      for (const who of Object.keys(callers)) as.set(who, await credentialsOf(who));
      paths = await pathsAbout({ harness, slice }, owner(), LIVES, transactions, NOW);
    });
  });
  after(async () => {
    await harness.stop();
    await receiver.stop();
  });

  const base = () => `/v1/projects/${slice.projectId}`;
  const owner = (): Credentials => ({ token: slice.token, headers: { 'x-project-id': slice.projectId } });
  const post = (path: string, body: object) => harness.call('POST', `${base()}${path}`, body, owner());

  async function credentialsOf(who: string): Promise<Credentials> {
    const [kind, scope] = who.split(' ');
    if (kind === 'key') return { key: (await post('/api-keys', { name: who, scopes: [scope] })).body.key };
    const { token } = await newMember(harness.call, slice.projectId, slice.token, kind as 'admin');
    return { token, headers: { 'x-project-id': slice.projectId } };
  }

  async function experiment() {
    for (const lookupKey of ['standard', 'cheap']) await post('/offerings', { lookupKey, displayName: lookupKey });
    const { body } = await post('/experiments', { name: 'Price' });
    for (const offeringId of ['standard', 'cheap'])
      await post(`/experiments/${body.id}/variants`, { name: offeringId, offeringId });
    await harness.call('PATCH', `${base()}/experiments/${body.id}`, { status: 'running' }, owner());
  }

  const text = async (path: string, who: Credentials) => {
    const headers = {
      ...(who.key && { 'x-api-key': who.key }),
      ...(who.token && { authorization: `Bearer ${who.token}` }),
    };
    const response = await fetch(`${harness.service().url}${path}`, { headers: { ...headers, ...who.headers } });
    return { status: response.status, text: await response.text() };
  };

  const whole = new Map<string, string>();
  before(async () => {
    // Whoever is asked about first is seen by it.
    for (const path of paths) if (path.startsWith('/v1/subscribers/')) await text(path, owner());
    await harness.service().idle();
    for (const path of paths) {
      const response = await text(path, owner());
      expect(response.status, path).to.equal(200);
      whole.set(path, response.text);
    }
  });

  it('is there for the owner: the amounts, the words and the signed texts that were sent', () => {
    const all = [...whole.values()].join('\n');
    for (const pattern of [AMOUNTS, WORDS, SIGNED]) expect(all).to.match(pattern);
    for (const name of [
      'rawBody',
      'body',
      'responseSnippet',
      'totalRevenueUsd',
      'notificationUrl',
      'attributes',
      'properties',
      'words',
    ])
      expect(all).to.include(`"${name}"`);
  });

  for (const [who, sees] of Object.entries(callers)) {
    it(`is omitted for ${who}, and nothing else is`, () =>
      withSeed(random, async () => {
        for (let n = 0; n < DRAWN; n++) {
          const path = paths[random.below(paths.length)] ?? '';
          const seen = await text(path, as.get(who) ?? {});
          const about = `${who}: ${path}`;
          expect(seen.status, about).to.equal(200);
          if (!sees.money) expect(seen.text, about).not.to.match(AMOUNTS);
          if (!sees.personal) expect(seen.text, about).not.to.match(WORDS);
          if (!sees.money || !sees.personal) expect(seen.text, about).not.to.match(SIGNED);
          const expected = leftOf(JSON.parse(whole.get(path) ?? ''), sees);
          expect(leftOf(JSON.parse(seen.text), ALL), about).to.deep.equal(expected);
        }
      }));
  }

  it('finds no customer either: an email is a search term for who sees personal fields', async () => {
    for (const [who, sees] of Object.entries(callers)) {
      for (const term of ['hidden-mail-1@example.com', 'HIDDEN-MAIL-1@example.com']) {
        const path = `${base()}/customers?search=${encodeURIComponent(term)}`;
        const { body } = await harness.call('GET', path, undefined, as.get(who));
        expect(body.items, `${who} by ${term}`).to.have.length(sees.personal ? 1 : 0);
      }
      const { body } = await harness.call(
        'GET',
        `${base()}/customers?search=${transactions[0]}`,
        undefined,
        as.get(who),
      );
      expect(body.items, `${who} by a transaction`).to.have.length(1);
    }
  });

  it('is no chart for support, as a table neither', async () => {
    const path = `${base()}/metrics/charts/revenue`;
    const accept = { headers: { accept: 'text/csv' } };
    expect((await text(path, { ...as.get('support'), ...accept })).status).to.equal(403);
    expect((await text(path, { ...as.get('viewer'), ...accept })).status).to.equal(200);
    expect((await text(`${base()}/metrics/overview`, as.get('support') ?? {})).status).to.equal(403);
  });
});
