// Time limits of bodies: one that trickles in ends, and one that is large has the time that a slow phone needs for it.
import type { IncomingMessage } from 'node:http';
import { expect } from 'chai';
import { createBodyTimeout, limitPausesOnly } from '../../../src/http/server/body-timeout.js';

const LIMIT_MS = 30_000;
const SECOND_MS = 1000;

describe('the time limit of a body', () => {
  const request = () => ({ complete: false, socket: { bytesRead: 0, destroyed: false } });
  /** Returns the second at whose end a request expires that sends so many bytes a second, or null within ten minutes. */
  const expiryAt = (bytesPerSecond: (second: number) => number, change: (req: IncomingMessage) => void = () => {}) => {
    let now = 0;
    let expired: number | null = null;
    const req = request();
    const sent = req as unknown as IncomingMessage;
    const timeout = createBodyTimeout(
      LIMIT_MS,
      () => now,
      () => (expired ??= now / SECOND_MS),
    );
    timeout.watch(sent);
    change(sent);
    for (let second = 1; second <= 600; second++) {
      now = second * SECOND_MS;
      req.socket.bytesRead += bytesPerSecond(second);
      timeout.check();
    }
    return expired;
  };
  const cases: readonly [what: string, bytesPerSecond: (second: number) => number, second: number | null][] = [
    ['ends a body that sends nothing', () => 0, 31],
    ['ends a body that trickles in', () => 100, 31],
    ['gives a receipt of 6 MB over a slow connection its time', (second) => (second <= 300 ? 20 * 1024 : 0), 406],
    ['does not end what arrives at the pace of a slow phone', () => 16 * 1024, null],
    ['ends a body at half that pace after twice the time', () => 8 * 1024, 61],
    ['ends a fast body that stops', (second) => (second === 1 ? 160 * 1024 : 0), 41],
  ];
  for (const [what, bytesPerSecond, second] of cases) it(what, () => expect(expiryAt(bytesPerSecond)).to.equal(second));

  it('is that of each pause in an upload', () => {
    expect(expiryAt((second) => (second % 29 === 0 ? 10 : 0), limitPausesOnly)).to.equal(null);
    expect(expiryAt((second) => (second <= 100 ? 10 : 0), limitPausesOnly)).to.equal(131);
  });
});
