// An instant: UTC, with local time in its title, and beside it for all times of the page where the reader has asked for it.
import { showsLocalTime } from '../app/preferences';
import { ago, localTime, utc } from './format';

export function Time({ at, isAgo = false }: { readonly at: string; readonly isAgo?: boolean }) {
  return (
    <time dateTime={at} title={`${utc(at, { seconds: true })}\n${localTime(at)}`}>
      {isAgo ? ago(at) : utc(at)}
      {showsLocalTime.value && <span class="local"> · {localTime(at)}</span>}
    </time>
  );
}
