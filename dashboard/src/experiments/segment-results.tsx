// Results of an experiment by country or platform, for the primary metric.
import { api, unwrap } from '../api/client';
import { useQuery } from '../api/query';
import { segmentName } from '../charts/data/segment-names';
import { useProject } from '../context/project';
import { query, setQuery } from '../context/router';
import { Select } from '../parts/form';
import { count } from '../parts/format';
import { QueryView } from '../parts/states';
import { chanceText, differenceText, primaryValue, type Primary } from './comparison-words';
import type { Experiment } from './experiment-fields';

type Comparison = NonNullable<Experiment['comparison']>;
const SEGMENTS = ['country', 'platform'] as const;

export function SegmentResults({ experiment }: { readonly experiment: Experiment }) {
  const { project } = useProject();
  const { id: eid, comparison } = experiment;
  const segment = SEGMENTS.find((one) => one === query.value.get('segment'));
  const params = { path: { id: project.id, eid }, query: segment ? { segment } : {} };
  const read = useQuery(segment ? `experiment-segments|${project.id}|${eid}|${segment}` : null, (signal) =>
    unwrap(api.GET('/v1/projects/{id}/experiments/{eid}', { params, signal })),
  );
  if (!comparison) return null;
  return (
    <>
      <div class="row controls">
        <Select
          label="Results by"
          value={segment ?? ''}
          options={[
            ['', 'no segment'],
            ['country', 'Country'],
            ['platform', 'Platform'],
          ]}
          onChange={({ currentTarget }) => setQuery({ segment: currentTarget.value || null })}
        />
      </div>
      {segment && (
        <QueryView of={read} what="the segments">
          {(found) => <SegmentTable found={found} segment={segment} comparison={comparison} />}
        </QueryView>
      )}
    </>
  );
}

function SegmentTable({
  found: { segments, results },
  segment,
  comparison,
}: {
  readonly found: Experiment;
  readonly segment: string;
  readonly comparison: Comparison;
}) {
  const { unit } = comparison;
  const hasAmounts = results.every(({ primary }) => primary?.value !== undefined);
  const variantOf = (id: string) => results.find(({ variantId }) => variantId === id);
  return (
    <div class="scroll" role="group" aria-label="Results by segment" tabIndex={0}>
      <table>
        <caption>By the {segment} that a customer was created with; a later purchase does not change it</caption>
        <thead>
          <tr>
            <th scope="col">Segment</th>
            <th scope="col">Variant</th>
            <th scope="col" class="number">
              Customers
            </th>
            <th scope="col" class="number">
              Chance to win
            </th>
            {hasAmounts && (
              <>
                <th scope="col" class="number">
                  Value
                </th>
                <th scope="col" class="number">
                  Difference to control (95% interval)
                </th>
              </>
            )}
          </tr>
        </thead>
        {segments.map(({ value, results: ofVariants }) => (
          <tbody key={String(value)}>
            {ofVariants.map(({ variantId, customers, primary }, i) => (
              <tr key={variantId}>
                {i === 0 && (
                  <th scope="rowgroup" rowSpan={ofVariants.length}>
                    {segmentName(segment, String(value), null)}
                  </th>
                )}
                <td>{variantOf(variantId)?.name}</td>
                <td class="number">{count(customers)}</td>
                <Cells primary={primary} unit={unit} />
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </div>
  );
}

function Cells({ primary, unit }: { readonly primary: Primary | null; readonly unit: Comparison['unit'] }) {
  if (!primary) return null;
  return (
    <>
      <td class="number">{chanceText(primary)}</td>
      {primary.value !== undefined && (
        <>
          <td class="number">{primaryValue(primary.value, unit)}</td>
          <td class="number">{differenceText(primary, unit)}</td>
        </>
      )}
    </>
  );
}
