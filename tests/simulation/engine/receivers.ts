// Simulated webhook receivers, with and without faults, and everything that they received.
import type { Outbound } from '../../../src/adapters/outbound/port.js';
import { OutboundFailure, Unavailable } from '../../../src/domain/errors.js';
import type { ArrivedRequest } from '../../workers/webhooks/rig.js';
import type { Timeline } from './timeline.js';
import type { Host, FaultInjector } from './fault-injector.js';

/**
 * `no-response`: accepts the request and never responds. `false-error`: accepts the request and responds with 500. `random`: a behaviour
 * drawn for each request.
 */
export type ReceiverBehaviour = 'ok' | 'error' | 'hang' | 'refuse' | 'no-response' | 'false-error' | 'random';

export type Receivers = {
  readonly received: ArrivedRequest[];
  /** Behaviour by endpoint URL; `ok` by default. */
  readonly behaviours: Map<string, ReceiverBehaviour>;
  connect(host: Host, faults: FaultInjector): Outbound;
};

export function createReceivers(timeline: Timeline): Receivers {
  const { random } = timeline;
  const received: ArrivedRequest[] = [];
  const behaviours = new Map<string, ReceiverBehaviour>();
  const drawBehaviour = (url: string): ReceiverBehaviour => {
    const manner = behaviours.get(url) ?? 'ok';
    return manner === 'random'
      ? random.pick([
          ['ok', 3],
          ['error', 2],
          ['no-response', 1],
          ['refuse', 1],
        ] as const)
      : manner;
  };
  return {
    received,
    behaviours,
    connect: (host, faults) => ({
      send: async ({ url, headers, body = '', timeoutMs }) => {
        const take = async () => {
          const manner = drawBehaviour(url);
          if (manner === 'refuse') throw new OutboundFailure('connect', 'connection refused');
          const bytes = Buffer.from(body);
          const one: ArrivedRequest = {
            delivered: manner === 'ok',
            url,
            atMs: timeline.now(),
            headers,
            body: bytes,
            event: parseEvent(bytes),
          };
          if (manner !== 'hang') {
            received.push(one);
            timeline.record(`${url} receives ${one.event.type} ${one.event.id} (${manner})`);
          }
          return manner;
        };
        const manner = await faults.run(host, 'net', 'write', `send to ${url}`, take).catch((err: unknown) => {
          throw err instanceof Unavailable ? new OutboundFailure('closed', err.message) : err;
        });
        if (manner === 'hang' || manner === 'no-response') {
          await new Promise<void>((resolve) => faults.wait(host, timeoutMs, resolve));
          throw new OutboundFailure('timeout', 'no answer in time');
        }
        return { status: manner === 'ok' ? 200 : 500, headers: {}, body: Buffer.alloc(0), truncated: false };
      },
    }),
  };
}

function parseEvent(body: Buffer): ArrivedRequest['event'] {
  const { event = {} } = JSON.parse(body.toString()) as { event?: Record<string, unknown> };
  const get = (camel: string, snake: string) => event[camel] ?? event[snake];
  return {
    id: String(event['id']),
    type: String(event['type']),
    sequence: Number(event['sequence']),
    appUserId: String(get('appUserId', 'app_user_id')),
  };
}
