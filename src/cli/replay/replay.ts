// `subledger replay`: rebuilds read models from the log while the old ones are served, or names charts of an instant or of other rules.
import { fail, WrongUse } from '../support/failure.js';
import { deleteReplay, replayCharts, type ChartReplayOptions } from './replay-charts.js';
import { replayLive } from './replay-live.js';

/** All but `json` are those of a chart replay. */
export type ReplayOptions = ChartReplayOptions & { readonly as?: string; readonly delete?: string };

export async function replay(what: string | undefined, o: ReplayOptions): Promise<void> {
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
  try {
    const name = o.as ?? o.delete;
    if (name !== undefined && what !== undefined && what !== 'charts') {
      throw new WrongUse(`${what} has no replays under a name; leave it out, or give charts`);
    }
    if (o.delete !== undefined) return await deleteReplay(o.delete, o);
    if (o.as !== undefined) return await replayCharts(o.as, o, stopping.signal);
    if (o.until !== undefined || o.whatIf !== undefined || o.project !== undefined) {
      throw new WrongUse('--until, --what-if and --project belong to a replay under a name; name it with --as');
    }
    await replayLive(what ?? 'all', o, stopping.signal);
  } catch (err) {
    fail(err);
  }
}
