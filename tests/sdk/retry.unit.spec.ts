// Retries of the client: conditions, delays, and requests that it never repeats.
import { expect } from 'chai';
import { retryingFetch, type RetryOptions } from '../../sdk/src/retry.js';

type Step = Response | Error;
const away = (status: 429 | 503, retryAfter?: string) =>
  new Response('{}', { status, headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter } });
const ok = () => new Response('{"ok":true}');

/** Responds with one step after the other; records what was sent and how long was waited. */
function stage(steps: readonly Step[], more: RetryOptions = {}) {
  const bodies: string[] = [];
  const pauses: number[] = [];
  const send = retryingFetch({
    fetch: async (request) => {
      const step = steps[bodies.length] ?? new Error('asked once too often');
      bodies.push(await request.text());
      if (step instanceof Error) throw step;
      return step;
    },
    sleep: (ms) => Promise.resolve(void pauses.push(ms)),
    ...more,
  });
  return { send, bodies, pauses };
}

const post = (headers: Record<string, string> = {}) =>
  new Request('http://server/', { method: 'POST', body: 'x', headers });
const failure = (work: Promise<unknown>): Promise<unknown> => work.then(() => undefined).catch((err: unknown) => err);

describe('the client’s retry', () => {
  it('waits for the time in Retry-After, and sends the body again', async () => {
    const { send, bodies, pauses } = stage([away(429, '7'), away(503, '2'), ok()]);
    expect((await send(post())).status).to.equal(200);
    expect([bodies, pauses]).to.deep.equal([
      ['x', 'x', 'x'],
      [7000, 2000],
    ]);
  });

  it('waits longer each time without Retry-After', async () => {
    const { send, pauses } = stage([away(503), away(503), away(503), ok()]);
    expect((await send(post())).status).to.equal(200);
    expect(pauses).to.deep.equal([250, 500, 1000]);
  });

  it('takes a date for the time to wait', async () => {
    const { send, pauses } = stage([away(503, new Date(Date.now() - 1000).toUTCString()), ok()]);
    await send(post());
    expect(pauses).to.deep.equal([0]);
  });

  it('returns the last response if the server stays unavailable, or requests too long a delay', async () => {
    const always = stage([away(503), away(503), away(503), away(503)]);
    expect((await always.send(post())).status).to.equal(503);
    expect(always.bodies).to.have.length(4);
    const long = stage([away(429, '3600')]);
    expect((await long.send(post())).status).to.equal(429);
  });

  it('hands over other responses at once', async () => {
    for (const status of [400, 401, 404, 409, 500]) {
      const { send, bodies } = stage([new Response('{}', { status })]);
      expect((await send(post())).status).to.equal(status);
      expect(bodies).to.have.length(1);
    }
  });

  it('repeats without a response what does no harm twice, and nothing else', async () => {
    const lost = new TypeError('fetch failed');
    expect((await stage([lost, ok()]).send(new Request('http://server/'))).status).to.equal(200);
    expect((await stage([lost, ok()]).send(post({ 'idempotency-key': 'a' }))).status).to.equal(200);
    expect(await failure(stage([lost, ok()]).send(post()))).to.equal(lost);
  });

  it('ends when it is aborted', async () => {
    const stop = new AbortController();
    const lost = new TypeError('fetch failed');
    const { send, bodies } = stage([lost, ok()], { signal: stop.signal });
    stop.abort();
    expect(await failure(send(new Request('http://server/')))).to.be.an('error');
    expect(bodies.length).to.be.at.most(1);
  });
});
