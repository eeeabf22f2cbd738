// Requests of the command line to the running service, where a command may not write itself. Requests and replies are small JSON documents.

export type PendingRequest = { readonly id: string; readonly request: unknown };
/** `problem`: what the operator can do about it. */
export type OperatorReply = { readonly result: unknown } | { readonly problem: string };

export interface OperatorRequests {
  /** Without a reply yet, oldest first. A request that is not JSON is null. */
  pending(): Promise<readonly PendingRequest[]>;
  /** Stores the reply and removes the request. */
  reply(id: string, reply: OperatorReply): Promise<void>;
  /** Names sort by age: `id` must be of the kind that does. */
  submit(id: string, request: unknown): Promise<void>;
  /** Returns the reply and removes it; undefined as long as there is none. */
  takeReply(id: string): Promise<OperatorReply | undefined>;
}
