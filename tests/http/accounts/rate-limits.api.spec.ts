// Rate limits: their headers, and 429 with a time to wait.
import { expect } from 'chai';
import { setUpProject, startHarness, type HttpResponse, type Harness, type Slice } from '../support/harness.js';
import { expectRefusal } from '../support/refusal.js';
import { sdkClient } from '../compat/setup.js';

const PASSWORD = 'correct horse battery';

describe('rate limits', () => {
  let harness: Harness;
  let slice: Slice;
  beforeEach(async () => {
    harness = await startHarness({ RATE_LIMITS: 'on', TRUST_PROXY: '1', COMPAT_PORT: '0' });
    slice = await setUpProject(harness);
  });
  afterEach(() => harness.stop());

  const from = (ip: string) => ({ headers: { 'x-forwarded-for': ip } });
  const repeat = async (times: number, send: () => Promise<HttpResponse>): Promise<HttpResponse[]> => {
    const responses: HttpResponse[] = [];
    for (let i = 0; i < times; i++) responses.push(await send());
    return responses;
  };
  const statuses = (responses: readonly HttpResponse[]) => responses.map((a) => a.status);
  const logIn = (email: string, password: string, ip: string) =>
    harness.call('POST', '/auth/login', { email, password }, from(ip));
  const expectLimited = (response: HttpResponse | undefined, atMost: number) => {
    if (!response) throw new Error('nothing was answered');
    expectRefusal(response, 429);
    expect(Number(response.headers.get('retry-after'))).to.be.within(1, atMost);
    expect(response.headers.get('ratelimit-remaining')).to.equal('0');
  };

  it('lets one address register five times an hour', async () => {
    let n = 0;
    const register = () =>
      harness.call('POST', '/auth/register', { email: `r${++n}@example.com`, password: PASSWORD }, from('10.0.0.1'));
    const responses = await repeat(6, register);
    expect(statuses(responses)).to.deep.equal([201, 201, 201, 201, 201, 429]);
    expectLimited(responses[5], 3600);
    expect(responses[0]?.headers.get('ratelimit-limit')).to.equal('5');
    expect(responses[0]?.headers.get('ratelimit-remaining')).to.equal('4');
  });

  it('stops guesses at one password after five, from that address only', async () => {
    const email = 'victim@example.com';
    await harness.call('POST', '/auth/register', { email, password: PASSWORD }, from('10.0.0.2'));
    const guesses = await repeat(6, () => logIn(email, 'wrong password', '10.0.0.3'));
    expect(statuses(guesses)).to.deep.equal([401, 401, 401, 401, 401, 429]);
    expectLimited(guesses[5], 900);
    expectLimited(await logIn(email, PASSWORD, '10.0.0.3'), 900);
    expect((await logIn(email, PASSWORD, '10.0.0.2')).status).to.equal(200);
  });

  it('tries five of nineteen wrong passwords that come at once', async () => {
    const email = 'hurried@example.com';
    await harness.call('POST', '/auth/register', { email, password: PASSWORD }, from('10.0.0.4'));
    const guesses = await Promise.all(Array.from({ length: 19 }, (_, n) => logIn(email, `wrong ${n}`, '10.0.0.5')));
    expect(statuses(guesses).sort()).to.deep.equal([...Array<number>(5).fill(401), ...Array<number>(14).fill(429)]);
    expectLimited(await logIn(email, PASSWORD, '10.0.0.5'), 900);
  });

  it('lets one address log in twenty times a minute', async () => {
    const unknown = await repeat(21, () => harness.call('POST', '/auth/login', {}, from('10.4.0.0')));
    expect(statuses(unknown)).to.deep.equal([...Array<number>(20).fill(400), 429]);
    expectLimited(unknown[20], 60);
  });

  it('lets a session refresh ten times a minute', async () => {
    const login = { email: 'r@example.com', password: PASSWORD };
    let { refreshToken } = (await harness.call('POST', '/auth/register', login)).body;
    const responses = await repeat(11, async () => {
      const response = await harness.call('POST', '/auth/refresh', { refreshToken });
      if (response.status === 200) refreshToken = response.body.refreshToken;
      return response;
    });
    expect(statuses(responses)).to.deep.equal([...Array<number>(10).fill(200), 429]);
    expectLimited(responses[10], 60);
  });

  it('lets a secret key ask six hundred times a minute, and another one all the same', async () => {
    const path = `/v1/projects/${slice.projectId}`;
    const get = (key: string) => harness.call('GET', path, undefined, { key });
    const first = await get(slice.secretKey);
    expect(first.headers.get('ratelimit-limit')).to.equal('600');
    await Promise.all(Array.from({ length: 599 }, () => get(slice.secretKey)));
    expectLimited(await get(slice.secretKey), 60);
    const other = await harness.call('POST', `${path}/api-keys`, { name: 'other' }, { token: slice.token });
    expect((await get(other.body.key)).status).to.equal(200);
  });

  describe('let public keys write sixty times a minute about a subscriber whom a body names,', () => {
    const sdk = sdkClient({ service: () => harness.service() } as Harness, () => slice.publicKey);
    const login = (previous: string, id: string) =>
      sdk('POST', '/v1/subscribers/identify', { app_user_id: previous, new_app_user_id: id });
    const ways: readonly (readonly [string, (n: number) => Promise<HttpResponse>])[] = [
      ['in a login', (n) => login(`guest-${n}`, 'ann')],
      ['in a login of an earlier SDK', (n) => sdk('POST', `/v1/subscribers/g${n}/alias`, { new_app_user_id: 'ann' })],
      ['in a receipt', () => sdk('POST', '/v1/receipts', { app_user_id: 'ann', is_restore: true })],
      ['as the name before a login', (n) => login('$RCAnonymousID:00000000000000000000000000000001', `to-${n}`)],
    ];
    for (const [name, send] of ways)
      it(name, async () => {
        const responses = await Promise.all(Array.from({ length: 60 }, (_, n) => send(n)));
        expect(statuses(responses).every((status) => status < 300)).to.equal(true);
        const { status, body } = await send(60);
        // An SDK keeps a receipt that is answered with 503.
        expect(status).to.be.oneOf([429, 503]);
        expect(body.message).to.match(/too many requests/);
      });

    it('and none about a placeholder that many devices begin with', async () => {
      await Promise.all(Array.from({ length: 61 }, (_, n) => login('guest', `device-${n}`)));
      expect((await login('guest', 'device-61')).status).to.equal(201);
    });
  });

  it('count the addresses of one IPv6 network as one', async () => {
    const register = (n: number, ip: string) =>
      harness.call('POST', '/auth/register', { email: `six${n}@example.com`, password: PASSWORD }, from(ip));
    for (let n = 0; n < 5; n++) expect((await register(n, `2001:db8:1:2:${n}::${n}`)).status).to.equal(201);
    expect((await register(5, '2001:db8:1:2:ffff::1')).status).to.equal(429);
    expect((await register(6, '2001:db8:1:3::1')).status).to.equal(201);
    expect((await register(7, '::ffff:10.9.9.9')).status).to.equal(201);
  });

  it('lets a public key read one subscriber three hundred times a minute, and others behind that address all the same', async () => {
    const read = (who: string) =>
      harness.call('GET', `/v1/subscribers/${who}`, undefined, { key: slice.publicKey, ...from('10.9.0.1') });
    await read('ann');
    const responses = await Promise.all(Array.from({ length: 300 }, () => read('ann')));
    expect(statuses(responses).filter((status) => status === 429)).to.have.length(1);
    expect((await read('bob')).status).to.equal(200);
  });

  it('lets public keys write sixty times a minute to one subscriber, however its id is spelt', async () => {
    const write = (path: string) => harness.call('POST', path, {}, { key: slice.publicKey });
    await Promise.all(Array.from({ length: 60 }, () => write('/v1/subscribers/ann')));
    expectLimited(await write('/v1/subscribers/%61nn'), 60);
    expect((await write('/v1/subscribers/bob')).status).to.equal(201);
    expect((await harness.call('GET', '/v1/subscribers/ann', undefined, { key: slice.publicKey })).status).to.equal(
      200,
    );
  });

  describe('of custom events', () => {
    const NAME = 'x'.repeat(100);
    const batchOf = (count: number, idOf: (i: number) => string, properties = {}) => ({
      events: Array.from({ length: count }, (_, i) => ({ name: NAME, appUserId: idOf(i), properties })),
    });
    const send = (body: unknown, key: string, ip = '10.7.0.0') =>
      harness.call('POST', '/v1/events', body, { key, ...from(ip) });

    it('count each event of a batch by the subscriber it names', async () => {
      const full = await repeat(3, () =>
        send(
          batchOf(100, () => 'ann'),
          slice.publicKey,
        ),
      );
      expect(statuses(full)).to.deep.equal([201, 201, 201]);
      expectLimited(
        await send(
          batchOf(1, () => 'ann'),
          slice.publicKey,
        ),
        60,
      );
      expectLimited(await send(batchOf(1, () => 'ann').events[0], slice.publicKey, '10.7.0.9'), 60);
      expect(
        (
          await send(
            batchOf(1, () => 'bob'),
            slice.publicKey,
          )
        ).status,
      ).to.equal(201);
      expect(
        (
          await send(
            batchOf(1, () => 'ann'),
            slice.secretKey,
          )
        ).status,
      ).to.equal(201);
    });

    it('record nothing of a batch that is refused', async () => {
      for (let i = 0; i < 3; i++)
        await send(
          batchOf(100, () => 'ann'),
          slice.publicKey,
        );
      expectLimited(
        await send(
          batchOf(2, (i) => (i === 0 ? 'nobody-yet' : 'ann')),
          slice.publicKey,
        ),
        60,
      );
      const { status } = await harness.call('GET', `/v1/projects/${slice.projectId}/customers/nobody-yet`, undefined, {
        key: slice.secretKey,
      });
      expect(status).to.equal(404);
    });

    it('bound what one address sends with a public key, in bytes, also where the bodies are refused', async () => {
      const properties = Object.fromEntries(Array.from({ length: 7 }, (_, i) => [`p${i}`, 'y'.repeat(1000)]));
      const recorded = batchOf(1, () => 'ann', properties);
      const { events } = batchOf(100, (i) => `writer-${i}`, properties);
      const invalid = { events: [...events, { name: '' }] };
      expect((await send(recorded, slice.publicKey)).status).to.equal(201);
      let bytes = JSON.stringify(recorded).length;
      let response = await send(invalid, slice.publicKey);
      for (let n = 0; n < 100 && response.status === 400; n++) {
        bytes += JSON.stringify(invalid).length;
        response = await send(invalid, slice.publicKey);
      }
      expectLimited(response, 60);
      expect(bytes).to.be.within(63_000_000, 64 * 1024 * 1024);
      expectLimited(await send(recorded, slice.publicKey), 60);
      expect((await send(recorded, slice.publicKey, '10.7.0.1')).status).to.equal(201);
    });
  });

  it('answers 429 to an address that guesses credentials, and not to callers with right ones', async () => {
    const wrong = () => harness.call('GET', '/v1/projects', undefined, { key: 'sk_x', ...from('10.6.0.0') });
    expect(statuses(await repeat(60, wrong))).to.deep.equal(Array(60).fill(401));
    expectLimited(await wrong(), 60);
    const right = { key: slice.secretKey, ...from('10.6.0.0') };
    expect((await harness.call('GET', '/v1/projects', undefined, right)).status).to.equal(200);
  });

  it('never limits a store', async () => {
    const send = () => harness.call('POST', slice.notificationPath, { signedPayload: 'x' });
    const responses = await Promise.all(Array.from({ length: 300 }, send));
    expect(new Set(statuses(responses))).to.deep.equal(new Set([400]));
  });
});
