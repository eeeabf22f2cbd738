// Position of the log up to which the answers of a tool are complete: the lowest of those that its requests reported.
import type { Client } from '#sdk/client.js';

/** Watches the responses of a client. The result returns the lowest position so far; null if there was none. */
export function collectReadPosition(client: Client): () => string | null {
  let lowest: string | null = null;
  client.use({
    onResponse: ({ response: { headers } }) => {
      const position = headers.get('x-read-position');
      if (position !== null && (lowest === null || position < lowest)) lowest = position;
    },
  });
  return () => lowest;
}
