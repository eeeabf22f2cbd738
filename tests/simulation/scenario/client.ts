// The clients of the service: apps, servers, stores. A request or its response may get lost; a repeat has the same `Idempotency-Key`.
import type { Installation, Process } from '../engine/process.js';
import { inject, type Request, type Response } from '../engine/http.js';

export type ClientRequest = Omit<Request, 'headers'> & {
  readonly key?: string;
  readonly token?: string;
  readonly idempotencyKey?: string;
  readonly headers?: Record<string, string>;
};

/** Responses are null if none arrived. */
export type Client = {
  /** Sends a request once, to a random process unless one is given. */
  send(asked: ClientRequest, of?: Process): Promise<Response | null>;
  /** Repeats a request until the response is neither a server error nor 429, at most `tries` times. */
  sendUntilAnswered(asked: ClientRequest, tries?: number): Promise<Response | null>;
  /** Number of requests that a process is handling. */
  inProgress(): number;
  /** Start of the oldest request in progress, UTC ms; Infinity if there is none. */
  inProgressSince(): number;
};

const RESPONSE_TIMEOUT_MS = 10_000;

export function createClient(
  installation: Pick<Installation, 'timeline'>,
  processes: () => readonly Process[],
): Client {
  const { timeline } = installation;
  const { random } = timeline;
  const pause = (ms: number) => new Promise<void>((resolve) => timeline.schedule(ms, resolve));

  const requests = new Set<{ readonly host: Process['host']; readonly atMs: number }>();
  const inProgress = () => [...requests].filter(({ host }) => host.isAlive);
  const send: Client['send'] = ({ key, token, idempotencyKey, headers: more, ...sent }, of) => {
    const headers = {
      ...(key !== undefined && { 'x-api-key': key }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      ...more,
    };
    const running = processes();
    const to = of ?? running[random.whole(0, running.length - 1)];
    return new Promise((resolve) => {
      timeline.schedule(RESPONSE_TIMEOUT_MS, () => resolve(null));
      if (!to) return;
      const { host, app } = to;
      timeline.schedule(random.whole(0, 3), () => {
        if (!host.isAlive || host.pausedUntil > timeline.elapsed()) return;
        const request = { host, atMs: timeline.now() };
        requests.add(request);
        void inject(app, { ...sent, headers }).then((response) => {
          requests.delete(request);
          if (!host.isAlive) return;
          timeline.record(`${host.name} answers ${sent.method} ${sent.path} ${response.status}`);
          timeline.schedule(random.whole(0, 3), () => resolve(response));
        });
      });
    });
  };
  return {
    send,
    inProgress: () => inProgress().length,
    inProgressSince: () => Math.min(...inProgress().map(({ atMs }) => atMs)),
    sendUntilAnswered: async (asked, tries = Infinity) => {
      for (let n = 0, ms = 200; n < tries; n++, ms = Math.min(ms * 2, 8000)) {
        const response = await send(asked);
        if (response && response.status < 500 && response.status !== 429) return response;
        await pause(ms + random.whole(0, 100));
      }
      return null;
    },
  };
}
