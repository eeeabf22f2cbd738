// Choice of an instant: a time in the zone of the project, or some days ago.
import { useId } from 'preact/hooks';
import { useProject, type Project } from '../../context/project';
import { fieldOf, instantOf } from '../../context/time-zone';

const DAY_MS = 86_400_000;
const DAYS_AGO = [1, 7, 30, 90];

export function InstantChoice({
  label,
  instant,
  onChange,
}: {
  readonly label: string;
  readonly instant: string | null;
  readonly onChange: (instant: string | null) => void;
}) {
  const id = useId();
  // The API refuses instants before the creation of the project.
  const { createdAt } = useProject().project;
  return (
    <>
      <p class="field">
        <label for={id}>{label}</label>
        <input
          id={id}
          type="datetime-local"
          value={instant === null ? '' : fieldOf(instant)}
          onChange={({ currentTarget: { value } }) => onChange(value === '' ? null : instantOf(value))}
        />
      </p>
      {DAYS_AGO.filter((days) => daysAgo(days) >= createdAt).map((days) => (
        <button key={days} type="button" onClick={() => onChange(daysAgo(days))}>
          {days === 1 ? 'A day ago' : `${days} days ago`}
        </button>
      ))}
    </>
  );
}

/** Returns the current minute, some days earlier. */
function daysAgo(days: number): string {
  return new Date(Math.floor(Date.now() / 60_000) * 60_000 - days * DAY_MS).toISOString();
}

/** Returns the instant some days ago, or the creation of a project that is younger. */
export function daysAgoWithin({ createdAt }: Pick<Project, 'createdAt'>, days: number): string {
  const instant = daysAgo(days);
  return instant < createdAt ? createdAt : instant;
}
