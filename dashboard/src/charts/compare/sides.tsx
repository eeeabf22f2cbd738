// Choice of the two sides of a comparison: two instants, two replays, or two periods.
import { useProject } from '../../context/project';
import { query, setQuery } from '../../context/router';
import { fieldOf, instantOf, timeZone } from '../../context/time-zone';
import { Select } from '../../parts/form';
import { Link } from '../../parts/link';
import { useReplays } from '../controls/replays';
import { PreviousChoice } from '../controls/previous-choice';
import { PREVIOUS_NAMES } from '../data/previous';
import { InstantChoice } from './instant-choice';
import type { ComparisonBase } from './use-comparison';

type Kind = 'instants' | 'replays' | 'periods';

const NO_SIDES = { then: null, asOf: null, thenReplay: null, replay: null, previous: null };

type Props = {
  /** First side; null if it is not chosen yet. */
  readonly earlier: ComparisonBase | null;
};

/** Returns what the URL compares. */
export function kindOfSides(): Kind {
  if (query.value.has('previous')) return 'periods';
  return query.value.has('thenReplay') || query.value.has('replay') ? 'replays' : 'instants';
}

export function Sides({ earlier }: Props) {
  const kind = kindOfSides();
  const first = (useReplays().data?.items ?? []).find(({ state }) => state === 'ready');
  return (
    <section class="sides controls" aria-label="Sides">
      <div class="row" role="group" aria-label="Compare">
        <button type="button" aria-pressed={kind === 'instants'} onClick={() => setQuery(NO_SIDES)}>
          Two instants
        </button>
        <button
          type="button"
          aria-pressed={kind === 'periods'}
          onClick={() => setQuery({ ...NO_SIDES, previous: 'period' })}
        >
          Two periods
        </button>
        <button
          type="button"
          aria-pressed={kind === 'replays'}
          onClick={() => setQuery({ ...NO_SIDES, thenReplay: first?.name ?? '' })}
        >
          Two replays
        </button>
      </div>
      {kind === 'instants' && <InstantSides earlier={earlier} />}
      {kind === 'periods' && (
        <div class="row end">
          <PreviousChoice choice={query.value.get('previous') ?? ''} names={PREVIOUS_NAMES.slice(1)} />
        </div>
      )}
      {kind === 'replays' && <ReplaySides />}
    </section>
  );
}

function InstantSides({ earlier }: { readonly earlier: ComparisonBase | null }) {
  const then = earlier && 'thenAsOf' in earlier ? earlier.thenAsOf : null;
  return (
    <div class="pair">
      <div class="row end">
        <InstantChoice label={`Then (${timeZone.value})`} instant={then} onChange={(at) => setQuery({ then: at })} />
      </div>
      <div class="row end">
        <p class="field">
          <label for="compare-now">Now ({timeZone})</label>
          <input
            id="compare-now"
            type="datetime-local"
            value={query.value.has('asOf') ? fieldOf(query.value.get('asOf') ?? '') : ''}
            onChange={({ currentTarget: { value } }) => setQuery({ asOf: value === '' ? null : instantOf(value) })}
          />
        </p>
        {!query.value.has('asOf') && <span class="hint">Empty: the current figures</span>}
      </div>
    </div>
  );
}

function ReplaySides() {
  const { base } = useProject();
  const replays = useReplays().data?.items ?? [];
  const ready = replays.filter(({ state }) => state === 'ready').map(({ name }) => [name, name] as const);
  if (ready.length === 0) {
    return (
      <p>
        There is no replay yet. Create one on a <Link to={`${base}/charts/revenue`}>chart</Link>, under Replays.
      </p>
    );
  }
  return (
    <div class="pair">
      <Select
        label="Replay"
        value={query.value.get('thenReplay') ?? ''}
        options={ready}
        onChange={({ currentTarget }) => setQuery({ thenReplay: currentTarget.value })}
      />
      <Select
        label="Compared with"
        value={query.value.get('replay') ?? ''}
        options={[['', 'Live data'], ...ready]}
        onChange={({ currentTarget }) => setQuery({ replay: currentTarget.value || null })}
      />
    </div>
  );
}
