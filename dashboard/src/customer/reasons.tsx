// Reasons of an access explanation: the deciding events, every purchase and grant, and the next changes.
import type { ComponentChildren } from 'preact';
import type { Schemas } from '../api/client';
import { useProductNames } from '../names/products';
import { wordsOf } from '../parts/format';
import { Time } from '../parts/time';

export function Reasons({ explanation }: { readonly explanation: Schemas['AccessExplanation'] }) {
  const { because, sources, wouldChange } = explanation;
  const { reword } = useProductNames();
  return (
    <div class="why">
      <h3>Reasons</h3>
      <Points of={because}>
        {(entry) => (
          <>
            <Time at={entry.at} /> – {reword(entry.summary)}
          </>
        )}
      </Points>
      <h3>Possible sources</h3>
      <Points of={sources}>
        {(source) => (
          <>
            <span class={`badge ${source.counts ? 'good' : ''}`}>{wordsOf(source.why)}</span> {reword(source.sentence)}
          </>
        )}
      </Points>
      {wouldChange.length > 0 && (
        <>
          <h3>Next changes</h3>
          <Points of={wouldChange}>
            {(change) => (
              <>
                {change.at && (
                  <>
                    <Time at={change.at} /> –{' '}
                  </>
                )}
                {reword(change.sentence)}
              </>
            )}
          </Points>
        </>
      )}
    </div>
  );
}

function Points<T>({ of, children }: { readonly of: readonly T[]; readonly children: (one: T) => ComponentChildren }) {
  if (of.length === 0) return <p>No purchases or grants.</p>;
  return (
    <ul>
      {of.map((one, i) => (
        <li key={i}>{children(one)}</li>
      ))}
    </ul>
  );
}
