// A client of a live feed: lines as they come, and how the feed ended.
import { request, type IncomingMessage } from 'node:http';
import { liveData } from '../../../src/http/live/lines.js';
import type { Credentials, Harness, Json } from './harness.js';

export type Line = { readonly id: string | null; readonly event: keyof typeof liveData; readonly data: Json };

export type LiveFeed = {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  /** All that came so far. */
  readonly lines: readonly Line[];
  /** Resolves with the first line that fits, of those that came and of those to come. Rejects when the feed ends before. */
  until(fits: (line: Line) => boolean): Promise<Line>;
  /** Resolves when the service has ended the feed: with what it said last. */
  readonly ended: Promise<string>;
  close(): void;
};

/** Throws for a line whose data has another form than documented. */
export function openLive(
  harness: Harness,
  projectId: string,
  as: Credentials,
  lastEventId?: string,
): Promise<LiveFeed> {
  const lines: Line[] = [];
  let onChange = (): void => undefined;
  let hasEnded = false;
  let rest = '';
  const take = (text: string) => {
    const parts = (rest + text).split('\n\n');
    rest = parts.pop() ?? '';
    for (const part of parts) {
      const fields = new Map(part.split('\n').map((l) => [l.slice(0, l.indexOf(':')), l.slice(l.indexOf(':') + 2)]));
      const event = fields.get('event') as Line['event'] | undefined;
      if (event === undefined) {
        last = part;
        continue;
      }
      const data = liveData[event].parse(JSON.parse(fields.get('data') ?? ''));
      lines.push({ id: fields.get('id') ?? null, event, data });
    }
    onChange();
  };
  let last = '';
  return new Promise((resolve, reject) => {
    const headers = {
      ...(as.token !== undefined && { authorization: `Bearer ${as.token}` }),
      ...(as.key !== undefined && { 'x-api-key': as.key }),
      ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
    };
    const url = `${harness.service().url ?? ''}/v1/projects/${projectId}/live`;
    const sent = request(url, { headers, agent: false }, (response) => {
      const ended = new Promise<string>((done) => {
        const end = () => {
          hasEnded = true;
          onChange();
          done(last);
        };
        response.once('end', end);
        response.once('error', end);
      });
      if (response.statusCode === 200) response.setEncoding('utf8').on('data', take);
      else response.resume();
      const until = async (fits: (line: Line) => boolean) => {
        for (;;) {
          const found = lines.find(fits);
          if (found) return found;
          if (hasEnded) throw new Error(`the feed ended without it: ${JSON.stringify(lines)}`);
          await new Promise<void>((changed) => (onChange = changed));
        }
      };
      const { statusCode: status = 0 } = response;
      resolve({ status, headers: response.headers, lines, until, ended, close: () => sent.destroy() });
    });
    sent.once('error', reject);
    sent.end();
  });
}
