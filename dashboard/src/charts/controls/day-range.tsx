// Two days, first and last. The service refuses a first day after the last one, with a message.
const CUSTOM_DAYS = 30;
const DAY_MS = 86_400_000;

type Props = {
  readonly id: string;
  /** Period that the days belong to, for screen readers. */
  readonly name: string;
  readonly range: readonly [from: string, to: string];
  readonly onChange: (range: string) => void;
};

export function DayRange({ id, name, range: [from, to], onChange }: Props) {
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
          onChange={({ currentTarget: { value } }) => value !== '' && onChange(`${value}..${to}`)}
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
          onChange={({ currentTarget: { value } }) => value !== '' && onChange(`${from}..${value}`)}
        />
      </p>
    </>
  );
}

/** Returns the last thirty days, to begin a choice with. */
export function customRange(): string {
  const dayOf = (daysAgo: number) => new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, 10);
  return `${dayOf(CUSTOM_DAYS)}..${dayOf(0)}`;
}
