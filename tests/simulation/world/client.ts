// The clients of the service: apps, servers, stores. A request or its response may get lost; a repeat has the same `Idempotency-Key`.
import type { Installation, Process } from '../engine/process.js';
import { inject, type Request, type Response } from '../engine/http.js';

export type Asked = Omit<Request, 'headers'> & {
  readonly key?: string;
  readonly token?: string;
  readonly once?: string;
  readonly headers?: Record<string, string>;
};

/** Responses are null if none arrived. */
export type Client = {
  /** Sends a request once, to a random process unless one is given. */
  ask(asked: Asked, of?: Process): Promise<Response | null>;
  /** Repeats a request until the response is neither a server error nor 429, at most `tries` times. */
  insist(asked: Asked, tries?: number): Promise<Response | null>;
  /** Number of requests that a process is handling. */
  underWay(): number;
  /** Start of the oldest request in progress, UTC ms; Infinity if there is none. */
  underWaySince(): number;
};

const PATIENCE_MS = 10_000;

export function createClient(world: Pick<Installation, 'timeline'>, processes: () => readonly Process[]): Client {
  const { timeline } = world;
  const { random } = timeline;
  const pause = (ms: number) => new Promise<void>((resolve) => timeline.after(ms, resolve));

  const requests = new Set<{ readonly host: Process['host']; readonly atMs: number }>();
  const underWay = () => [...requests].filter(({ host }) => host.isAlive);
  const ask: Client['ask'] = ({ key, token, once, headers: more, ...sent }, of) => {
    const headers = {
      ...(key !== undefined && { 'x-api-key': key }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(once !== undefined && { 'idempotency-key': once }),
      ...more,
    };
    const there = processes();
    const to = of ?? there[random.whole(0, there.length - 1)];
    return new Promise((resolve) => {
      timeline.after(PATIENCE_MS, () => resolve(null));
      if (!to) return;
      const { host, app } = to;
      timeline.after(random.whole(0, 3), () => {
        if (!host.isAlive || host.pausedUntil > timeline.elapsed()) return;
        const request = { host, atMs: timeline.now() };
        requests.add(request);
        void inject(app, { ...sent, headers }).then((response) => {
          requests.delete(request);
          if (!host.isAlive) return;
          timeline.note(`${host.name} answers ${sent.method} ${sent.path} ${response.status}`);
          timeline.after(random.whole(0, 3), () => resolve(response));
        });
      });
    });
  };
  return {
    ask,
    underWay: () => underWay().length,
    underWaySince: () => Math.min(...underWay().map(({ atMs }) => atMs)),
    insist: async (asked, tries = Infinity) => {
      for (let n = 0, ms = 200; n < tries; n++, ms = Math.min(ms * 2, 8000)) {
        const response = await ask(asked);
        if (response && response.status < 500 && response.status !== 429) return response;
        await pause(ms + random.whole(0, 100));
      }
      return null;
    },
  };
}
