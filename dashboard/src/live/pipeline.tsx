// Processing steps of store notifications, with durations from the lines received since the page was opened.
import { count } from '../parts/format';
import type { LiveLine } from './feed';
import { isFailure } from './groups';

type Stage = { readonly name: string; readonly lines: readonly LiveLine[]; readonly of: string };

export function Pipeline({ lines }: { readonly lines: readonly LiveLine[] }) {
  const notifications = lines.filter((line) => line.event === 'notification');
  const stages: readonly Stage[] = [
    { name: 'Received', of: 'notifications', lines: notifications.filter(({ state }) => state === 'waiting') },
    { name: 'Recorded', of: 'events', lines: lines.filter(({ event }) => event === 'event') },
    { name: 'Processed', of: 'notifications', lines: notifications.filter(({ state }) => state !== 'waiting') },
    { name: 'Webhooks', of: 'attempts', lines: lines.filter(({ event }) => event === 'delivery') },
  ];
  return (
    <ol class="pipeline" aria-label="From a store to webhooks">
      {stages.map(({ name, of, lines: passed }) => {
        const failed = passed.filter(isFailure).length;
        return (
          <li key={name} class="card">
            <h2>{name}</h2>
            <p class="figure">{count(passed.length)}</p>
            <p class="hint">{of}</p>
            {name !== 'Received' && <p class="hint">{timesOf(passed)}</p>}
            {failed > 0 && <p class="badge bad">{count(failed)} failed</p>}
          </li>
        );
      })}
    </ol>
  );
}

/** Formats the median and the maximum: `typically 12 ms, at most 40 ms`; `12 ms` if they are equal. */
function timesOf(lines: readonly LiveLine[]): string {
  const times = lines.flatMap(({ ms }) => (ms === null ? [] : [ms])).sort((a, b) => a - b);
  const [median, max] = [times[Math.floor(times.length / 2)], times.at(-1)];
  if (median === undefined || max === undefined) return '';
  return median === max ? duration(max) : `typically ${duration(median)}, at most ${duration(max)}`;
}

/** Formats `126 ms`, `2.4 s` or `3 min`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${ms} ms`;
  return ms < 60_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 60_000)} min`;
}
