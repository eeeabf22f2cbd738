// Compares the last complete day of each watched figure with its usual band. What is found is recorded once, and webhooks are sent from the log.
import type { Logger } from 'pino';
import { scanPages } from '../../adapters/documents/records.js';
import type { Deps } from '../../commands/handling/deps.js';
import { recordFigureOutOfBand } from '../../commands/projects/figures.js';
import { Rejection, Unavailable } from '../../domain/errors.js';
import { customerHistories } from '../../projections/charts/customer-histories.js';
import type { ChartSources } from '../../projections/charts/query-chart.js';
import { findWatchableChart, lastCompleteDay, readUsualFigure } from '../../projections/charts/usual-figure.js';
import { watchedFigures } from '../../projections/models/watched-figures.js';
import { waitAtMost, type Progress } from '../../projections/runtime/progress.js';
import { superviseRounds } from '../coordination/supervise.js';

export type FigureDeps = ChartSources & {
  readonly deps: Deps;
  readonly progress: Progress;
  readonly logger: Logger;
};

const ROUND_MS = 600_000;
const MAX_WAIT_MS = 5000;
const PAGE = 200;

/** Runs until the signal aborts. `isPlayingPast`: the purchases of a demo are being recorded. */
export function runFigureWatch(o: FigureDeps, signal: AbortSignal, isPlayingPast: () => boolean): Promise<void> {
  const { deps, logger } = o;
  const { runtime } = deps;
  const compared = new Set<string>();
  return superviseRounds('figures', ROUND_MS, { runtime, logger }, signal, async () => {
    if (!isPlayingPast()) await compareFigures(o, compared, signal);
  });
}

/**
 * Compares the figures that `compared` does not name yet, and names them there. Figures are not compared while the read models are behind: what
 * is missing would look like a loss.
 */
export async function compareFigures(o: FigureDeps, compared: Set<string>, signal: AbortSignal): Promise<void> {
  const { deps, readModels, progress } = o;
  const { runtime, log } = deps;
  const nowMs = runtime.now();
  const day = lastCompleteDay(nowMs);
  for (const name of compared) if (!name.endsWith(day)) compared.delete(name);
  const names = [customerHistories.name, watchedFigures.name];
  if (progress.haltedSince(customerHistories.name) !== undefined) return;
  const waiting = { progress, runtime, isBackground: true };
  if (!(await waitAtMost(MAX_WAIT_MS, waiting, names, await log.head()))) return;
  const all = { index: 'project', eq: [], limit: PAGE };
  for await (const rows of scanPages(all, (scan) => readModels.scan(watchedFigures, scan))) {
    for (const { doc } of rows) {
      for (const chartId of doc.chartIds) {
        const name = `${doc.projectId}|${chartId}|${day}`;
        if (signal.aborted) return;
        if (compared.has(name)) continue;
        await compareFigure(o, { projectId: doc.projectId, chartId, day, nowMs });
        compared.add(name);
      }
    }
  }
}

type Place = {
  readonly projectId: string;
  readonly chartId: string;
  readonly day: string;
  readonly nowMs: number;
};

/** A figure that cannot be compared does not delay the others. */
async function compareFigure(o: FigureDeps, { projectId, chartId, day, nowMs }: Place): Promise<void> {
  const chart = findWatchableChart(chartId);
  if (!chart) return;
  try {
    const { value, verdict: side, band, measure, unit } = await readUsualFigure(o, projectId, chart, { day, nowMs });
    if (band === null || value === null || (side !== 'low' && side !== 'high')) return;
    const { low, high, median, spread, days } = band;
    const figure = { value, low, high, median, spread };
    await recordFigureOutOfBand(o.deps, projectId, { chartId, measure, unit, day, side, figure, days });
  } catch (err) {
    if (err instanceof Unavailable) throw err;
    // The project was deleted in the meantime.
    if (err instanceof Rejection && err.kind === 'missing') return;
    o.logger.error({ projectId, chartId, day, err }, 'the figure of a day could not be compared; tomorrow’s will be');
  }
}
