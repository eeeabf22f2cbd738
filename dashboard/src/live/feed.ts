// Client of the live feed: reads server-sent events with the access token in a header, and resumes after a disconnect.
import { authorizedFetch } from '../session/session';
import type { Schemas } from '../api/client';

export type LiveLine =
  | ({ readonly event: 'notification' } & Schemas['LiveNotification'])
  | ({ readonly event: 'event' } & Schemas['LiveEvent'])
  | ({ readonly event: 'delivery' } & Schemas['LiveDelivery']);
export type FeedState = 'connecting' | 'open' | 'away';

const RECONNECT_MS = 3000;

/** Calls back for each line until the signal aborts. */
export async function readFeed(
  projectId: string,
  signal: AbortSignal,
  onLine: (line: LiveLine) => void,
  onState: (state: FeedState) => void,
): Promise<void> {
  let last = '';
  while (!signal.aborted) {
    onState('connecting');
    try {
      const headers = { accept: 'text/event-stream', ...(last !== '' && { 'last-event-id': last }) };
      const response = await authorizedFetch(new Request(`/v1/projects/${projectId}/live`, { headers, signal }));
      if (!response.ok || !response.body) throw new Error(String(response.status));
      onState('open');
      for await (const block of blocksOf(response.body)) {
        const fields = fieldsOf(block);
        last = fields.get('id') ?? last;
        const data = fields.get('data');
        if (data !== undefined) onLine({ event: fields.get('event') ?? 'event', ...JSON.parse(data) } as LiveLine);
      }
    } catch {
      // The server is unavailable or closed the stream: reading resumes after the last line.
      if (!signal.aborted) onState('away');
    }
    if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS));
  }
}

async function* blocksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as unknown as TransformStream<Uint8Array, string>)
    .getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (rest + value).split('\n\n');
    rest = blocks.pop() ?? '';
    yield* blocks;
  }
}

function fieldsOf(block: string): ReadonlyMap<string, string> {
  const lines = block.split('\n').map((line) => /^(\w+): ?(.*)$/.exec(line));
  return new Map(lines.flatMap((found) => (found ? [[found[1] ?? '', found[2] ?? ''] as const] : [])));
}
