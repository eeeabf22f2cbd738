// A client of a project's live feed that connects now and then and resumes after the last line that it received.
import { START } from '../../../src/adapters/event-log/port.js';
import { watch } from './http.js';
import type { Process } from './process.js';
import type { Timeline } from './timeline.js';

export type Viewer = {
  /** IDs of the received lines, in the order of arrival. */
  readonly ids: readonly string[];
  /** Resolves after `forMs`; at once if the client is already connected or the process is not reachable. */
  watch(forMs: number, process: Process | undefined): Promise<void>;
};

export function createViewer(timeline: Timeline, path: string, key: string): Viewer {
  const ids: string[] = [];
  let isWatching = false;
  return {
    ids,
    watch: async (forMs, process) => {
      if (isWatching || !process?.host.isAlive || process.host.pausedUntil > timeline.elapsed()) return;
      isWatching = true;
      let rest = '';
      let isOpen = true;
      const take = (text: string) => {
        // Output of a dead process and output after a disconnect are lost.
        if (!isOpen || !process.host.isAlive) return;
        const lines = (rest + text).split('\n\n');
        rest = lines.pop() ?? '';
        for (const line of lines) ids.push(...(/^id: (\S+)$/m.exec(line)?.slice(1) ?? []));
      };
      const headers = { 'x-api-key': key, 'last-event-id': ids.at(-1) ?? START };
      const close = watch(process.app, { method: 'GET', path, headers }, take);
      await new Promise<void>((resolve) => timeline.after(forMs, resolve));
      isOpen = false;
      close();
      isWatching = false;
    },
  };
}
