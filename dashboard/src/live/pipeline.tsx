// Processing steps of a store notification, with durations from the lines received since the page was opened.
import { count } from '../parts/format';
import type { LiveLine } from './feed';

type Stage = { readonly name: string; readonly lines: readonly LiveLine[]; readonly of: string };

export function Pipeline({ lines }: { readonly lines: readonly LiveLine[] }) {
  const stages: readonly Stage[] = [
    { name: 'Received', of: 'notifications', lines: lines.filter((one) => stateOf(one) === 'waiting') },
    {
      name: 'Verified',
      of: 'processed',
      lines: lines.filter((one) => one.event === 'notification' && one.state !== 'waiting'),
    },
    { name: 'Recorded', of: 'events', lines: lines.filter(({ event }) => event === 'event') },
    { name: 'Webhooks', of: 'attempts', lines: lines.filter(({ event }) => event === 'delivery') },
  ];
  return (
    <ol class="pipeline" aria-label="From a store to webhooks">
      {stages.map(({ name, of, lines: passed }) => (
        <li key={name} class="card">
          <h2>{name}</h2>
          <p class="figure">{count(passed.length)}</p>
          <p class="hint">{[of, timesOf(passed)].filter(Boolean).join(', ')}</p>
          {countFailed(passed) > 0 && <p class="badge bad">{count(countFailed(passed))} failed</p>}
        </li>
      ))}
    </ol>
  );
}

const FAILED_STATES = ['parked', 'refused', 'failed'];

function stateOf(line: LiveLine): string | null {
  return line.event === 'event' ? null : line.state;
}

function countFailed(lines: readonly LiveLine[]): number {
  return lines.filter((line) => FAILED_STATES.includes(stateOf(line) ?? '')).length;
}

/** Formats the median and the maximum: `12 ms, at most 40 ms`. */
function timesOf(lines: readonly LiveLine[]): string {
  const times = lines.flatMap(({ ms }) => (ms === null ? [] : [ms])).sort((a, b) => a - b);
  const [middle, most] = [times[Math.floor(times.length / 2)], times.at(-1)];
  if (middle === undefined || most === undefined) return '';
  return `typically ${count(middle)} ms, at most ${count(most)} ms`;
}
