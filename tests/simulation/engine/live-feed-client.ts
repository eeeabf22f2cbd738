// A client of a project's live feed that connects now and then and resumes after the last line that it received.
import { START } from '../../../src/adapters/event-log/port.js';
import { openStream } from './http.js';
import type { Process } from './process.js';
import type { Timeline } from './timeline.js';

export type LiveFeedClient = {
  /** IDs of the received lines, in the order of arrival. */
  readonly ids: readonly string[];
  /** Resolves after `forMs`; at once if the client is already connected or the process is not reachable. */
  follow(forMs: number, process: Process | undefined): Promise<void>;
};

export function createLiveFeedClient(timeline: Timeline, path: string, key: string): LiveFeedClient {
  const ids: string[] = [];
  let isConnected = false;
  return {
    ids,
    follow: async (forMs, process) => {
      if (isConnected || !process?.host.isAlive || process.host.pausedUntil > timeline.elapsed()) return;
      isConnected = true;
      let rest = '';
      let isOpen = true;
      const receive = (text: string) => {
        // Output of a dead process and output after a disconnect are lost.
        if (!isOpen || !process.host.isAlive) return;
        const lines = (rest + text).split('\n\n');
        rest = lines.pop() ?? '';
        for (const line of lines) ids.push(...(/^id: (\S+)$/m.exec(line)?.slice(1) ?? []));
      };
      const headers = { 'x-api-key': key, 'last-event-id': ids.at(-1) ?? START };
      const close = openStream(process.app, { method: 'GET', path, headers }, receive);
      await new Promise<void>((resolve) => timeline.schedule(forMs, resolve));
      isOpen = false;
      close();
      isConnected = false;
    },
  };
}
