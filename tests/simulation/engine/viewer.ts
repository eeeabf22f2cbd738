// Somebody who looks at the live feed of a project now and then, and goes on behind the last line that arrived.
import { START } from '../../../src/adapters/event-log/port.js';
import { watch } from './http.js';
import type { Process } from './process.js';
import type { Timeline } from './timeline.js';

export type Viewer = {
  /** Of all lines that have one, as they arrived. */
  readonly ids: readonly string[];
  /** Resolves after so long; at once while it still looks at another one, or when nobody is there. */
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
        // What a process wrote as it died is lost, like all that comes after, and what it writes to a connection that is gone.
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
