// Requests to hosts outside: webhooks, forwarding, the stores' APIs. All take this one way, so that one guard sees every address.

export type OutboundRequest = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as these bytes, nothing is encoded again. */
  readonly body?: Buffer | string;
  /** For the whole exchange, connecting included, in ms. */
  readonly timeoutMs: number;
  /** The response is read up to here and the connection closed. */
  readonly maxResponseBytes: number;
};

/** Any status; redirects are responses and are not followed. Header names are lower-case. */
export type OutboundResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** The response was longer than `maxResponseBytes`. */
  readonly truncated: boolean;
  /** From an address that is not public and that the configuration allows: its text is nothing for tenants. */
  readonly isPrivate?: boolean;
};

export interface Outbound {
  /** Throws `OutboundFailure` when there is no response, an aborted signal's reason when it was given up. */
  send(request: OutboundRequest, signal?: AbortSignal): Promise<OutboundResponse>;
}
