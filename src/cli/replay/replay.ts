// `subledger replay`: builds read models again from the log, beside those that are served, or a copy of the charts under a name.
import { fail, WrongUse } from '../support/failure.js';
import { replayCopy, type CopyOptions } from './replay-copy.js';
import { replayLive } from './replay-live.js';

/** All but `json` are those of a copy. */
export type ReplayOptions = Partial<CopyOptions>;

export async function replay(what: string | undefined, o: ReplayOptions): Promise<void> {
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
  try {
    if (o.as !== undefined) return await replayCopy(what ?? 'charts', { ...o, as: o.as }, stopping.signal);
    if (o.until !== undefined || o.whatIf !== undefined || o.project !== undefined) {
      throw new WrongUse('--until, --what-if and --project make a copy that is not served; name it with --as');
    }
    await replayLive(what ?? 'all', o, stopping.signal);
  } catch (err) {
    fail(err);
  }
}
