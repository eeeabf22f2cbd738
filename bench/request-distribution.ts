// Distributions of requests over subscribers: uniform, or by Zipf's law as in real traffic.
import type autocannon from 'autocannon';

/** Returns a rank from 0 to `n - 1`; `chance` is in [0, 1). */
export type Draw = (chance: number, n: number) => number;

export const uniform: Draw = (chance, n) => Math.floor(chance * n);

/** Zipf's law with exponent 1: the k-th subscriber is requested 1/k as often as the first. */
export const zipf: Draw = (chance, n) => Math.min(n, Math.floor((n + 1) ** chance)) - 1;

/** Spreads the ranks, so that frequently requested subscribers are not neighbours. */
const STEP = 7919;

/** Returns one request whose path is drawn at random each time it is sent. */
export function randomRequests(
  n: number,
  draw: Draw,
  path: (i: number) => string,
  headers: Record<string, string> = {},
): autocannon.Request[] {
  const setupRequest = (request: autocannon.Request) => ({
    ...request,
    path: path((draw(Math.random(), n) * STEP) % n),
  });
  return [{ method: 'GET', path: path(0), headers, setupRequest }];
}
