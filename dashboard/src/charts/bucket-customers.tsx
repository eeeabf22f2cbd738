// Customers behind a value.
import { api, unwrap } from '../api/client';
import { useQuery } from '../api/query';
import { useProject } from '../app/project';
import { Dialog } from '../parts/dialog';
import { formatInUnit, wordsOf } from '../parts/format';
import { Link } from '../parts/link';
import { QueryView } from '../parts/states';
import { bucketName } from './data/series';
import type { ChartData, Parameters } from './data/query';

export type SelectedValue = { readonly bucket: string; readonly measure: string };

export function BucketCustomers({
  data,
  asked,
  picked,
  onClose,
}: {
  readonly data: ChartData;
  readonly asked: Parameters;
  readonly picked: SelectedValue;
  readonly onClose: () => void;
}) {
  const { project, base } = useProject();
  const { bucket, measure } = picked;
  const { segment: _whole, ...rest } = asked;
  const params = { path: { id: project.id, chartId: data.id }, query: { ...rest, bucket, measure, limit: 50 } };
  const listed = useQuery(`behind|${project.id}|${data.id}|${JSON.stringify(params.query)}`, (signal) =>
    unwrap(api.GET('/v1/projects/{id}/metrics/charts/{chartId}/customers', { params, signal })),
  );
  const unit = data.measures.find(({ id }) => id === measure)?.unit ?? data.unit;
  return (
    <Dialog title={`${wordsOf(measure)}, ${bucketName(bucket, data.interval)}`} onClose={onClose}>
      <QueryView of={listed} what="the customers">
        {({ items, nextPage }) => (
          <>
            <table>
              <caption>Customers behind the value{nextPage !== null && ' (the first 50)'}</caption>
              <thead>
                <tr>
                  <th scope="col">Customer</th>
                  <th scope="col" class="number">
                    Part
                  </th>
                </tr>
              </thead>
              <tbody>
                {items.map(({ customerId, appUserId, value }) => (
                  <tr key={customerId}>
                    <td>
                      <Link to={`${base}/customers/${customerId}`}>{appUserId ?? customerId}</Link>
                    </td>
                    <td class="number">{formatInUnit(value, unit)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
            {items.length === 0 && <p>No customers.</p>}
          </>
        )}
      </QueryView>
    </Dialog>
  );
}
