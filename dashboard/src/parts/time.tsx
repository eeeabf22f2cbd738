// A time in the time zone of the project, with local time in its title, and next to it if the user has chosen that.
import { showsLocalTime } from '../context/preferences';
import { clock, relativeTime, localTime, dateTime } from './format';

export function Time({
  at,
  isAgo = false,
  clock: precision,
}: {
  readonly at: string;
  readonly isAgo?: boolean;
  /** Shows only the time of the day, where the day is known: `10:00` or `10:00:05`. */
  readonly clock?: 'minutes' | 'seconds';
}) {
  const text = precision ? clock(at, precision) : isAgo ? relativeTime(at) : dateTime(at);
  return (
    <time dateTime={at} title={`${dateTime(at, { seconds: true })}\n${localTime(at)}`}>
      {text}
      {showsLocalTime.value && <span class="local"> · {localTime(at)}</span>}
    </time>
  );
}
