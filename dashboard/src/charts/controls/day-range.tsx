// Two days, first and last. A first day after the last one is not sent: the form says so until one of them changes.
import { useId, useState } from 'preact/hooks';

const CUSTOM_DAYS = 30;
const DAY_MS = 86_400_000;

type Props = {
  readonly id: string;
  /** Period that the days belong to, for screen readers. */
  readonly name: string;
  readonly range: readonly [from: string, to: string];
  readonly onChange: (range: string) => void;
};

export function DayRange({ id, name, range, onChange }: Props) {
  const faultId = useId();
  // Days that were chosen but not sent, because they are in the wrong order.
  const [refused, setRefused] = useState<readonly [from: string, to: string] | null>(null);
  const [from, to] = refused ?? range;
  const choose = (next: readonly [from: string, to: string]) => {
    if (next.includes('')) return;
    const isReversed = next[0] > next[1];
    setRefused(isReversed ? next : null);
    if (!isReversed) onChange(next.join('..'));
  };
  const inputProps = { 'aria-invalid': refused !== null, 'aria-describedby': refused ? faultId : undefined };
  return (
    <>
      <p class="field">
        <label for={`${id}-from`}>
          From<span class="visually-hidden"> ({name})</span>
        </label>
        <input
          id={`${id}-from`}
          type="date"
          value={from}
          {...inputProps}
          onChange={({ currentTarget: { value } }) => choose([value, to])}
        />
      </p>
      <p class="field">
        <label for={`${id}-to`}>
          To<span class="visually-hidden"> ({name})</span>
        </label>
        <input
          id={`${id}-to`}
          type="date"
          value={to}
          {...inputProps}
          onChange={({ currentTarget: { value } }) => choose([from, value])}
        />
      </p>
      {refused && (
        <p id={faultId} class="fault" role="alert">
          “From” is after “To”. Choose an earlier first day or a later last day; until then the former period is shown.
        </p>
      )}
    </>
  );
}

/** Returns the last thirty days, to begin a choice with. */
export function customRange(): string {
  const dayOf = (daysAgo: number) => new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, 10);
  return `${dayOf(CUSTOM_DAYS)}..${dayOf(0)}`;
}
