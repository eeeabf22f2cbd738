// Port for requests of the command line to the running service, for commands that must not write themselves. Requests and replies are small
// JSON documents.

export type PendingRequest = { readonly id: string; readonly request: unknown };
/** Reply to a request. `problem` describes a failure and what the operator can do about it. */
export type OperatorReply = { readonly result: unknown } | { readonly problem: string };

export interface OperatorRequests {
  /** Returns the requests without a reply, oldest first. A request that is not JSON is undefined. */
  pending(): Promise<readonly PendingRequest[]>;
  /** Stores the reply and removes the request. */
  reply(id: string, reply: OperatorReply): Promise<void>;
  /** Submits a request. `id` must sort by creation time. */
  submit(id: string, request: unknown): Promise<void>;
  /** Returns and removes the reply; undefined while there is none. */
  takeReply(id: string): Promise<OperatorReply | undefined>;
}
