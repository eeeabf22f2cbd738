// A time in UTC, with local time in its title, and next to it if the user has chosen that.
import { showsLocalTime } from '../app/preferences';
import { relativeTime, localTime, utc } from './format';

export function Time({ at, isAgo = false }: { readonly at: string; readonly isAgo?: boolean }) {
  return (
    <time dateTime={at} title={`${utc(at, { seconds: true })}\n${localTime(at)}`}>
      {isAgo ? relativeTime(at) : utc(at)}
      {showsLocalTime.value && <span class="local"> · {localTime(at)}</span>}
    </time>
  );
}
