// Sends outgoing requests, with a guard: the URL is checked before anything is sent, a literal address when the
// connection is made, and a name's addresses when it is resolved. The very addresses that were checked are connected to, so that a
// name server cannot give one address to the guard and another to the socket.
import { createRequire } from 'node:module';
import { isIP, type LookupFunction } from 'node:net';
import type * as Undici from 'undici';
import type { Agent, buildConnector, Dispatcher } from 'undici';
import { bareHost, faultOfUrl, isPublicAddress, isReachable, type Egress } from './address-rules.js';
import { BlockedAddress, failureOf, UnresolvedName } from './failures.js';
import type { Outbound, OutboundResponse, OutboundRequest } from './port.js';
import { OutboundFailure } from '../../domain/errors.js';
import { systemResolver, type Resolve } from './resolver.js';

export type OutboundOptions = {
  readonly egress: Egress;
  /** Base URLs that the operator put into the configuration: their origins may be reached wherever they are, in the clear too. */
  readonly trusted?: readonly string[];
  /** Who turns names into addresses; the system's name servers unless a test stands in for them. */
  readonly resolve?: Resolve;
  /** Connections kept to one origin at most, in all when left out as many as there are requests. */
  readonly connections?: number;
};

export type ClosableOutbound = Outbound & { close(): Promise<void> };

/** Loaded with the first request: it is a hundred modules and 10 MB of memory, and many a service sends nothing for long. */
const library = (): typeof Undici => require('undici');
const require = createRequire(import.meta.url);

const CONNECT_MS = 3000;
const HEADERS_MS = 10_000;

/** One for each purpose, so that what one purpose keeps busy is not missing to another. */
export function createOutbound(o: OutboundOptions): ClosableOutbound {
  const { egress, resolve = systemResolver() } = o;
  const trusted = new Set((o.trusted ?? []).map((url) => new URL(url).origin));
  const limits = { headersTimeout: HEADERS_MS, bodyTimeout: HEADERS_MS, keepAliveTimeout: 4000 };
  const connections = o.connections === undefined ? {} : { connections: o.connections };
  const tls = { timeout: CONNECT_MS, minVersion: 'TLSv1.2' as const, rejectUnauthorized: true };
  /** Hosts that turned out to be at addresses that are not public, and are allowed. */
  const privateHosts = new Set<string>();
  const guarded = guard({ egress, resolve, privateHosts }, tls);
  const agents = new Map<object, Agent>();
  let isClosed = false;
  /** Of those that connect in this way. */
  const agent = async (connect: NonNullable<Agent.Options['connect']>) => {
    const known = agents.get(connect) ?? new (library().Agent)({ ...limits, ...connections, connect });
    agents.set(connect, known);
    if (isClosed) await known.destroy();
    return known;
  };
  return {
    send: async (asked, signal) => {
      if (trusted.has(originOf(asked.url))) return exchange(await agent(tls), asked, signal);
      const fault = faultOfUrl(asked.url, egress);
      if (fault !== null) throw new OutboundFailure('blocked', `the address ${fault}`);
      const response = await exchange(await agent(guarded), asked, signal);
      return privateHosts.has(bareHost(new URL(asked.url).hostname)) ? { ...response, isPrivate: true } : response;
    },
    close: async () => {
      isClosed = true;
      await Promise.all([...agents.values()].map((each) => each.destroy()));
    },
  };
}

type ConnectorOptions = NonNullable<Parameters<typeof buildConnector>[0]>;

type Guard = { readonly egress: Egress; readonly resolve: Resolve; readonly privateHosts: Set<string> };

function guard(o: Guard, options: ConnectorOptions): ReturnType<typeof buildConnector> {
  const { egress, privateHosts } = o;
  let made: ReturnType<typeof buildConnector> | undefined;
  return (target, callback) => {
    const connect = (made ??= library().buildConnector({ ...options, lookup: guardedLookup(o) } as ConnectorOptions));
    // Literal addresses are not looked up: this is the only place that sees them.
    const host = bareHost(target.hostname);
    if (isIP(host) !== 0 && !isReachable(host, egress)) return callback(new BlockedAddress(host), null);
    if (isIP(host) !== 0 && !isPublicAddress(host)) privateHosts.add(host);
    return connect(target, callback);
  };
}

/** Refuses a name when any of its addresses may not be reached: one that is good now and then is no good. */
function guardedLookup({ egress, resolve, privateHosts }: Guard): LookupFunction {
  return (hostname, options, callback) => {
    const host = bareHost(hostname);
    resolve(host).then(
      (found) => {
        const blocked = found.find(({ address }) => !isReachable(address, egress));
        const [first] = found;
        if (blocked) return callback(new BlockedAddress(host), '');
        if (found.some(({ address }) => !isPublicAddress(address))) privateHosts.add(host);
        else privateHosts.delete(host);
        if (!first) return callback(new UnresolvedName(host), '');
        return options.all ? callback(null, [...found]) : callback(null, first.address, first.family);
      },
      (err: unknown) => callback(new UnresolvedName(host, { cause: err }), ''),
    );
  };
}

async function exchange(agent: Agent, asked: OutboundRequest, signal?: AbortSignal): Promise<OutboundResponse> {
  signal?.throwIfAborted();
  const limit = new AbortController();
  const late = () => new OutboundFailure('timeout', `no whole answer within ${asked.timeoutMs} ms`);
  const timer = setTimeout(() => limit.abort(late()), asked.timeoutMs);
  const giveUp = () => limit.abort(signal?.reason);
  signal?.addEventListener('abort', giveUp, { once: true });
  try {
    const response = await library().request(asked.url, {
      dispatcher: agent,
      method: asked.method,
      headers: asked.headers,
      body: asked.body ?? null,
      signal: limit.signal,
    });
    const { body, truncated } = await readSome(response.body, asked.maxResponseBytes);
    return { status: response.statusCode, headers: flat(response.headers), body, truncated };
  } catch (err) {
    if (limit.signal.aborted) throw limit.signal.reason;
    throw failureOf(err);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', giveUp);
  }
}

/** A longer response is cut off and its connection closed: reading on, even to throw away, is what an endless response wants. */
async function readSome(stream: Dispatcher.ResponseData['body'], most: number) {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream) {
    const bytes = chunk as Buffer;
    chunks.push(bytes);
    length += bytes.length;
    if (length > most) break;
  }
  const truncated = length > most;
  if (truncated) stream.destroy();
  return { body: Buffer.concat(chunks).subarray(0, most), truncated };
}

function flat(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  );
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : '';
}
