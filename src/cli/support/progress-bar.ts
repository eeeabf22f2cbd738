// Progress of long work on stderr: a bar on a terminal, otherwise a plain line every five seconds.
import { SingleBar } from 'cli-progress';

export type ProgressBar = {
  step(): void;
  /** Sets the progress to `done` of `total`, which may have changed. */
  reach(done: number, total: number): void;
  stop(): void;
};

const PLAIN_LINE_EVERY_MS = 5000;

/** `unit`: as in "customers/s". `total`: number of steps. */
export function startProgressBar(title: string, total: number, unit: string): ProgressBar {
  const bar = new SingleBar({
    format: `${title} {bar} {value}/{total} {percentage}% {rate} ${unit}/s ETA {left}`,
    formatValue: (value, _options, type) =>
      type === 'value' || type === 'total' ? value.toLocaleString('en-US') : String(value),
    stream: process.stderr,
    noTTYOutput: true,
    notTTYSchedule: PLAIN_LINE_EVERY_MS,
    hideCursor: true,
  });
  const estimate = createEstimate(Date.now());
  let done = 0;
  bar.start(total, 0, { rate: '0', left: UNKNOWN });
  const show = () => bar.update(done, estimate.at(Date.now(), done, bar.getTotal()));
  return {
    step: () => {
      done++;
      show();
    },
    reach: (at, all) => {
      done = Math.floor(at);
      bar.setTotal(all);
      show();
    },
    stop: () => bar.stop(),
  };
}

const UNKNOWN = '?';
/** Time without an estimate, because the first steps are slow. */
const WARM_UP_MS = 1000;
/** Interval of speed samples, and the weight of a sample against all earlier ones. */
const SAMPLE_MS = 1000;
const WEIGHT = 0.1;

export type Estimate = { at(nowMs: number, done: number, total: number): { rate: string; left: string } };

/**
 * Estimates the remaining time from the average speed, with slightly more weight on the last seconds, so that a burst or a pause hardly
 * changes it. Steps may arrive at any rate.
 */
export function createEstimate(startMs: number): Estimate {
  let [lookedAt, doneThen, smooth] = [startMs, 0, 0];
  return {
    at: (nowMs, done, total) => {
      const elapsed = Math.max(1, nowMs - startMs);
      const average = done / elapsed;
      if (nowMs - lookedAt >= SAMPLE_MS) {
        const polls = (nowMs - lookedAt) / SAMPLE_MS;
        const now = (done - doneThen) / (nowMs - lookedAt);
        const remainder = (1 - WEIGHT) ** polls;
        smooth = smooth === 0 ? average : smooth * remainder + now * (1 - remainder);
        [lookedAt, doneThen] = [nowMs, done];
      }
      // Half the overall average, half the recent speed.
      const speed = smooth === 0 ? average : (average + smooth) / 2;
      const rate = Math.round(average * 1000).toLocaleString('en-US');
      const isEarly = elapsed < WARM_UP_MS || speed <= 0;
      return { rate, left: done >= total ? '0s' : isEarly ? UNKNOWN : durationText((total - done) / speed) };
    },
  };
}

/** Formats whole seconds, rounded once: there is no minute of 60 seconds. */
function durationText(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1000));
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const two = (n: number) => String(n).padStart(2, '0');
  if (hours > 0) return `${hours}h${two(minutes)}m`;
  return minutes > 0 ? `${minutes}m${two(seconds % 60)}s` : `${seconds}s`;
}
