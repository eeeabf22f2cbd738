// `subledger replay`: rebuilds read models from the log while the old ones are served, or creates a named chart replay.
import { WrongUse } from '../support/failure.js';
import { deleteReplay, replayCharts, type ChartReplayOptions } from './replay-charts.js';
import { replayLive } from './replay-live.js';

/** Options of both kinds of replay; `as`, `delete`, `until`, `whatIf` and `project` belong to a named chart replay. */
export type ReplayOptions = ChartReplayOptions & { readonly as?: string; readonly delete?: string };

export async function replay(what: string | undefined, o: ReplayOptions): Promise<void> {
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
  const name = o.as ?? o.delete;
  if (name !== undefined && what !== undefined && what !== 'charts') {
    throw new WrongUse(`${what} cannot have a named replay; omit it, or give charts`);
  }
  if (o.delete !== undefined) return deleteReplay(o.delete, o);
  if (o.as !== undefined) return replayCharts(o.as, o, stopping.signal);
  if (o.until !== undefined || o.whatIf !== undefined || o.project !== undefined) {
    throw new WrongUse('--until, --what-if and --project require a named replay; name it with --as');
  }
  await replayLive(what ?? 'all', o, stopping.signal);
}
