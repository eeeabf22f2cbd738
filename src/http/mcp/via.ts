// Mark of changes that an assistant makes: the timeline shows it beside the key.
import type { Client } from '#sdk/client.js';

/** Marks all requests of a client. `via`: printable ASCII, at most 80 characters. */
export function withVia(client: Client, via: string): Client {
  client.use({ onRequest: ({ request: { headers } }) => void headers.set('x-subledger-via', via) });
  return client;
}
