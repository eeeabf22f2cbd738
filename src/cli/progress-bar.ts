// How far long work has come, on stderr: a bar on a terminal, a plain line each five seconds elsewhere.
import { SingleBar } from 'cli-progress';

export type ProgressBar = {
  step(): void;
  /** Moves on to `done` of `total`, which may have changed. */
  reach(done: number, total: number): void;
  stop(): void;
};

const PLAIN_LINE_EVERY_MS = 5000;

/** `unit` as in "customers/s"; `total` is how many steps there will be. */
export function startProgressBar(title: string, total: number, unit: string): ProgressBar {
  const bar = new SingleBar({
    format: `${title} {bar} {value}/{total} {percentage}% {rate} ${unit}/s ETA {eta_formatted}`,
    formatValue: (value, _options, type) =>
      type === 'value' || type === 'total' ? value.toLocaleString('en-US') : String(value),
    stream: process.stderr,
    noTTYOutput: true,
    notTTYSchedule: PLAIN_LINE_EVERY_MS,
    hideCursor: true,
  });
  const startedAt = Date.now();
  let done = 0;
  const rate = () => Math.round(done / Math.max(0.001, (Date.now() - startedAt) / 1000)).toLocaleString('en-US');
  bar.start(total, 0, { rate: '0' });
  return {
    step: () => bar.update(++done, { rate: rate() }),
    reach: (at, all) => {
      done = Math.floor(at);
      bar.setTotal(all);
      bar.update(done, { rate: rate() });
    },
    stop: () => bar.stop(),
  };
}
