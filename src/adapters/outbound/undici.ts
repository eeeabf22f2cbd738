// HTTP client with an egress guard: the URL is checked before sending, a literal address on connect, and the addresses of a name when it is
// resolved. Connections go to exactly the checked addresses, so that a name server cannot return one address to the guard and another to
// the socket.
import { createRequire } from 'node:module';
import { isIP, type LookupFunction } from 'node:net';
import type * as Undici from 'undici';
import type { Agent, buildConnector, Dispatcher } from 'undici';
import { bareHost, findUrlFault, isPublicAddress, isReachable, type Egress } from './address-rules.js';
import type { Outbound, OutboundResponse, OutboundRequest } from './port.js';
import { OutboundFailure, type OutboundFailureCode } from '../../domain/errors.js';
import { createSystemResolver, type Resolve } from './resolver.js';
import { fieldsOf } from '../../domain/values/json.js';

export type OutboundOptions = {
  readonly egress: Egress;
  /** Base URLs of the configuration, whose origins may be reached even at private addresses and over plain HTTP. */
  readonly trusted?: readonly string[];
  /** Name resolution; the system's name servers by default. */
  readonly resolve?: Resolve;
  /** Maximum connections per origin; unlimited when omitted. */
  readonly connections?: number;
};

/**
 * Loads the library with the first request: it is a hundred modules and 10 MB of memory, and many a service sends nothing for a long time.
 */
const loadLibrary = (): typeof Undici => require('undici');
const require = createRequire(import.meta.url);

const CONNECT_TIMEOUT_MS = 3000;
const HEADERS_TIMEOUT_MS = 10_000;

/** Creates a client. Each purpose has its own, so that none can use up the connections of another. */
export function createOutbound(o: OutboundOptions): Outbound & { close(): Promise<void> } {
  const { egress, resolve = createSystemResolver() } = o;
  const trusted = new Set((o.trusted ?? []).map((url) => new URL(url).origin));
  const limits = { headersTimeout: HEADERS_TIMEOUT_MS, bodyTimeout: HEADERS_TIMEOUT_MS, keepAliveTimeout: 4000 };
  const connections = o.connections === undefined ? {} : { connections: o.connections };
  const tls = { timeout: CONNECT_TIMEOUT_MS, minVersion: 'TLSv1.2' as const, rejectUnauthorized: true };
  /** Hosts at private addresses that are allowed. */
  const privateHosts = new Set<string>();
  const guarded = createGuardedConnector({ egress, resolve, privateHosts }, tls);
  const agents = new Map<object, Agent>();
  let isClosed = false;
  /** Returns the agent for a way of connecting. */
  const agent = async (connect: NonNullable<Agent.Options['connect']>) => {
    const client = agents.get(connect) ?? new (loadLibrary().Agent)({ ...limits, ...connections, connect });
    agents.set(connect, client);
    if (isClosed) await client.destroy();
    return client;
  };
  return {
    send: async (request, signal) => {
      if (trusted.has(originOf(request.url))) return exchange(await agent(tls), request, signal);
      const fault = findUrlFault(request.url, egress);
      if (fault !== null) throw new OutboundFailure('blocked', `the address ${fault}`);
      const response = await exchange(await agent(guarded), request, signal);
      return privateHosts.has(bareHost(new URL(request.url).hostname)) ? { ...response, isPrivate: true } : response;
    },
    close: async () => {
      isClosed = true;
      await Promise.all([...agents.values()].map((each) => each.destroy()));
    },
  };
}

type ConnectorOptions = NonNullable<Parameters<typeof buildConnector>[0]>;

type GuardOptions = { readonly egress: Egress; readonly resolve: Resolve; readonly privateHosts: Set<string> };

function createGuardedConnector(o: GuardOptions, options: ConnectorOptions): ReturnType<typeof buildConnector> {
  const { egress, privateHosts } = o;
  let connector: ReturnType<typeof buildConnector> | undefined;
  return (target, callback) => {
    const connect = (connector ??= loadLibrary().buildConnector({
      ...options,
      lookup: guardedLookup(o),
    }));
    // Literal addresses are not looked up: they are checked only here.
    const host = bareHost(target.hostname);
    if (isIP(host) !== 0 && !isReachable(host, egress)) return callback(new BlockedAddress(host), null);
    if (isIP(host) !== 0 && !isPublicAddress(host)) privateHosts.add(host);
    return connect(target, callback);
  };
}

/** Resolves a name, and blocks it if any of its addresses is not allowed: later connections might use another of them. */
function guardedLookup({ egress, resolve, privateHosts }: GuardOptions): LookupFunction {
  return (hostname, options, callback) => {
    const host = bareHost(hostname);
    resolve(host).then(
      (addresses) => {
        const blocked = addresses.find(({ address }) => !isReachable(address, egress));
        const [first] = addresses;
        if (blocked) return callback(new BlockedAddress(host), '');
        if (addresses.some(({ address }) => !isPublicAddress(address))) privateHosts.add(host);
        else privateHosts.delete(host);
        if (!first) return callback(new UnresolvedName(host), '');
        return options.all ? callback(null, [...addresses]) : callback(null, first.address, first.family);
      },
      (err: unknown) => callback(new UnresolvedName(host, { cause: err }), ''),
    );
  };
}

async function exchange(agent: Agent, request: OutboundRequest, signal?: AbortSignal): Promise<OutboundResponse> {
  signal?.throwIfAborted();
  const limit = new AbortController();
  const late = () => new OutboundFailure('timeout', `no complete response within ${request.timeoutMs} ms`);
  const timer = setTimeout(() => limit.abort(late()), request.timeoutMs);
  const giveUp = () => limit.abort(signal?.reason);
  signal?.addEventListener('abort', giveUp, { once: true });
  try {
    const response = await loadLibrary().request(request.url, {
      dispatcher: agent,
      method: request.method,
      headers: request.headers,
      body: request.body ?? null,
      signal: limit.signal,
      ...(request.silenceMs !== undefined && { headersTimeout: request.silenceMs, bodyTimeout: request.silenceMs }),
    });
    const { body, truncated } = await readLimited(response.body, request.maxResponseBytes);
    return { status: response.statusCode, headers: flattenHeaders(response.headers), body, truncated };
  } catch (err) {
    if (limit.signal.aborted) throw limit.signal.reason;
    throw toOutboundFailure(err);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', giveUp);
  }
}

/** Reads up to the limit, then closes the connection: reading on, even to discard the rest, would keep an endless response open. */
async function readLimited(stream: Dispatcher.ResponseData['body'], maxBytes: number) {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream) {
    const bytes: Buffer = chunk;
    chunks.push(bytes);
    length += bytes.length;
    if (length > maxBytes) break;
  }
  const truncated = length > maxBytes;
  if (truncated) stream.destroy();
  return { body: Buffer.concat(chunks).subarray(0, maxBytes), truncated };
}

function flattenHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  );
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : '';
}

// Mapping of HTTP client errors to errors of the port. Messages contain hosts and causes, never headers or bodies.
class BlockedAddress extends Error {
  constructor(host: string) {
    super(`${host} is not a public address`);
    this.name = 'BlockedAddress';
  }
}

class UnresolvedName extends Error {
  constructor(host: string, options?: ErrorOptions) {
    super(`${host} has no address`, options);
    this.name = 'UnresolvedName';
  }
}

const TIMEOUT_CODES = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'ETIMEDOUT',
]);
const CONNECT_CODES = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'EACCES', 'EINVAL']);
/** OpenSSL's certificate errors have names of their own (`man verify`), its protocol errors a prefix. */
const TLS =
  /^(ERR_SSL_|ERR_TLS_|EPROTO$|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|INVALID_CA|INVALID_PURPOSE|HOSTNAME_)/;

function toOutboundFailure(err: unknown): OutboundFailure {
  const code = codeOf(err);
  return new OutboundFailure(kindOf(err, code), messageOf(err, code), { cause: err });
}

function kindOf(err: unknown, code: string): OutboundFailureCode {
  if (err instanceof BlockedAddress) return 'blocked';
  if (err instanceof UnresolvedName) return 'dns';
  if (TIMEOUT_CODES.has(code)) return 'timeout';
  if (CONNECT_CODES.has(code)) return 'connect';
  return TLS.test(code) ? 'tls' : 'closed';
}

/** Returns the code of an error. When several addresses failed, one error contains those of all. */
function codeOf(err: unknown): string {
  const { code, errors } = fieldsOf(err);
  if (typeof code === 'string') return code;
  const first: unknown = Array.isArray(errors) ? errors[0] : undefined;
  return first === undefined ? '' : codeOf(first);
}

function messageOf(err: unknown, code: string): string {
  const message = err instanceof Error ? err.message : String(err);
  return message === '' ? code : message;
}
