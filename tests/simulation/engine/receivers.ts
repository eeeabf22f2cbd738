// The receivers of webhooks in a world, good and bad, and all that arrived at them.
import type { Outbound } from '../../../src/adapters/outbound/port.js';
import { OutboundFailure, Unavailable } from '../../../src/domain/errors.js';
import type { Arrived } from '../../workers/webhooks/rig.js';
import type { Timeline } from './timeline.js';
import type { Host, Weather } from './weather.js';

/** `lost`: it takes the request and its answer never comes. `lies`: it says that it failed although it took it. */
export type Manner = 'good' | 'fails' | 'hangs' | 'closed' | 'lost' | 'lies' | 'moody';

export type Receivers = {
  readonly arrived: Arrived[];
  /** By the address of the endpoint; good unless it is set. */
  readonly manners: Map<string, Manner>;
  outboundOf(host: Host, weather: Weather): Outbound;
};

export function createReceivers(timeline: Timeline): Receivers {
  const { random } = timeline;
  const arrived: Arrived[] = [];
  const manners = new Map<string, Manner>();
  const mannerOf = (url: string): Manner => {
    const manner = manners.get(url) ?? 'good';
    return manner === 'moody'
      ? random.pick([
          ['good', 3],
          ['fails', 2],
          ['lost', 1],
          ['closed', 1],
        ] as const)
      : manner;
  };
  return {
    arrived,
    manners,
    outboundOf: (host, weather) => ({
      send: async ({ url, headers, body = '', timeoutMs }) => {
        const take = async () => {
          const manner = mannerOf(url);
          if (manner === 'closed') throw new OutboundFailure('connect', 'connection refused');
          const bytes = Buffer.from(body);
          const one: Arrived = {
            delivered: manner === 'good',
            url,
            atMs: timeline.now(),
            headers,
            body: bytes,
            event: eventOf(bytes),
          };
          if (manner !== 'hangs') {
            arrived.push(one);
            timeline.note(`${url} has ${one.event.type} ${one.event.id} ${manner}`);
          }
          return manner;
        };
        const manner = await weather.io(host, 'net', 'write', `send to ${url}`, take).catch((err: unknown) => {
          throw err instanceof Unavailable ? new OutboundFailure('closed', err.message) : err;
        });
        if (manner === 'hangs' || manner === 'lost') {
          await new Promise<void>((resolve) => weather.wait(host, timeoutMs, resolve));
          throw new OutboundFailure('timeout', 'no answer in time');
        }
        return { status: manner === 'good' ? 200 : 500, headers: {}, body: Buffer.alloc(0), truncated: false };
      },
    }),
  };
}

function eventOf(body: Buffer): Arrived['event'] {
  const { event = {} } = JSON.parse(body.toString()) as { event?: Record<string, unknown> };
  const get = (camel: string, snake: string) => event[camel] ?? event[snake];
  return {
    id: String(event['id']),
    type: String(event['type']),
    sequence: Number(event['sequence']),
    appUserId: String(get('appUserId', 'app_user_id')),
  };
}
