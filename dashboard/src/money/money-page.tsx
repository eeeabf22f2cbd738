// The books: each month with its figures by our records and by the stores, and the upload of their reports.
import { api, unwrap, type Schemas } from '../api/client';
import { useQuery } from '../api/query';
import { useProject } from '../context/project';
import { Link } from '../parts/link';
import { Empty, QueryView } from '../parts/states';
import { StatusBadge } from '../parts/status-badge';
import { amountText, monthName, useAppNames } from './names';
import { Revenue } from './revenue';
import { Sources } from './sources';
import { Upload } from './upload';

type BooksMonth = Pick<Schemas['BooksMonth'], 'month' | 'state' | 'tables'> & { readonly reports: number };

export default function MoneyPage() {
  const { project, may } = useProject();
  const books = useQuery(`books|${project.id}`, async (signal) => {
    const params = { path: { id: project.id } };
    return (await unwrap(api.GET('/v1/projects/{id}/books', { params, signal }))).months;
  });
  return (
    <>
      <h1>Money</h1>
      <p>What was recorded here beside what the stores report, month by month: each difference has a cause.</p>
      {may('configure') && <Upload />}
      <Sources />
      <QueryView of={books} what="the months">
        {(months) => <Months months={months.filter(({ state, reports }) => state !== 'empty' || reports > 0)} />}
      </QueryView>
      <Revenue />
    </>
  );
}

function Months({ months }: { readonly months: readonly BooksMonth[] }) {
  const { base } = useProject();
  const appName = useAppNames();
  if (months.length === 0) return <Empty title="No purchases in production yet, and no reports." />;
  return (
    <div class="scroll">
      <table>
        <caption>
          Months, the newest first. Proceeds: what is left of the price after refunds, tax and store fees.
        </caption>
        <thead>
          <tr>
            <th scope="col">Month</th>
            <th scope="col">State</th>
            <th scope="col">App</th>
            <th scope="col" class="number">
              Proceeds, ours
            </th>
            <th scope="col" class="number">
              Proceeds, store
            </th>
            <th scope="col" class="number">
              Difference
            </th>
          </tr>
        </thead>
        <tbody>
          {months.flatMap(({ month, state, tables }) =>
            (tables.length === 0 ? [null] : tables).map((table, i) => (
              <tr key={`${month}|${table?.appId ?? ''}|${table?.currency ?? ''}`}>
                <th scope="row">{i === 0 && <Link to={`${base}/money/${month}`}>{monthName(month)}</Link>}</th>
                <td>{i === 0 && <StatusBadge status={state} />}</td>
                <td>{table ? appName(table.appId) : 'no lines'}</td>
                <td class="number">{table && amountText(table.ours.proceeds, table.currency)}</td>
                <td class="number">{table && amountText(table.store.proceeds, table.currency)}</td>
                <td class="number">{table && amountText(table.difference.proceeds, table.currency)}</td>
              </tr>
            )),
          )}
        </tbody>
      </table>
    </div>
  );
}
