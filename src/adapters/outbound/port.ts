// Port for requests to external hosts: webhooks, forwarding, the stores' APIs. All use it, so that one guard checks every address.

export type OutboundRequest = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Body, sent unchanged. */
  readonly body?: Buffer | string;
  /** Timeout of the whole exchange, connecting included, in ms. */
  readonly timeoutMs: number;
  /** Time without a byte of the response after which the exchange ends, in ms; ten seconds without it. */
  readonly silenceMs?: number;
  /** Limit after which reading stops and the connection is closed. */
  readonly maxResponseBytes: number;
};

/** Response of any status. Redirects are returned, not followed. Header names are lower-case. */
export type OutboundResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** True if the response was longer than `maxResponseBytes`. */
  readonly truncated: boolean;
  /** True if the address is private and allowed by the configuration: the response must not be shown to tenants. */
  readonly isPrivate?: boolean;
};

export interface Outbound {
  /** Sends a request. Throws `OutboundFailure` when there is no response, or the abort reason of the signal. */
  send(request: OutboundRequest, signal?: AbortSignal): Promise<OutboundResponse>;
}
