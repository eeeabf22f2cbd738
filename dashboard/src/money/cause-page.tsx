// The comparisons of a month with one cause: each leads to the customers whom it is about.
import { api, unwrap, type Schemas } from '../api/client';
import { useProject } from '../context/project';
import { query, type PageProps } from '../context/router';
import { CsvButton } from '../parts/csv-button';
import { Link } from '../parts/link';
import { PagedTable, type Column } from '../parts/paged-table';
import { Empty } from '../parts/states';
import { Time } from '../parts/time';
import { amountText, asOfSearch, causeMeaning, causeName, monthName, useAppNames } from './names';

type Entry = Schemas['BookEntry'];

const COLUMNS: readonly Column[] = [
  { name: 'Day' },
  { name: 'Customers' },
  { name: 'Proceeds, ours', isNumber: true },
  { name: 'Proceeds, store', isNumber: true },
  { name: 'Charged, ours', isNumber: true },
  { name: 'Charged, store', isNumber: true },
  { name: 'What' },
  { name: 'Order, line' },
];

export default function CausePage({ params: { month = '', cause = '' } }: PageProps) {
  const { project, base } = useProject();
  const path = { id: project.id, month };
  const asOf = query.value.get('asOf');
  const selection = { cause: cause as Entry['cause'], ...(asOf !== null && { asOf }) };
  const loadTable = async () => {
    const headers = { accept: 'text/csv' };
    const asking = api.GET('/v1/projects/{id}/books/{month}/lines', {
      params: { path, query: selection },
      headers,
      parseAs: 'text',
    });
    return String(await unwrap(asking as Promise<{ data?: string; response: Response }>));
  };
  return (
    <>
      <p>
        <Link to={`${base}/money/${month}${asOfSearch()}`}>{monthName(month)}</Link>
      </p>
      <h1>
        {causeName(cause)}, {monthName(month)}
      </h1>
      {asOf !== null && (
        <p>
          As known at <Time at={asOf} />.
        </p>
      )}
      <p>{causeMeaning(cause)}</p>
      <CsvButton fileName={`books-${month}-${cause}.csv`} load={loadTable} />
      <PagedTable
        what="the comparisons"
        caption="Pacific days. A group of equal sales of the ios-store names everybody whom it may mean."
        columns={COLUMNS}
        of={`book-lines|${project.id}|${month}|${JSON.stringify(selection)}`}
        load={(page, signal) => {
          const params = { path, query: { ...selection, ...page } };
          return unwrap(api.GET('/v1/projects/{id}/books/{month}/lines', { params, signal }));
        }}
        row={(entry) => <EntryRow key={entry.id} entry={entry} />}
        empty={<Empty title="None in this month." />}
      />
    </>
  );
}

function EntryRow({ entry }: { readonly entry: Entry }) {
  const { base } = useProject();
  const appName = useAppNames();
  const { day, kind, count, appId, sku, country, currency, ours, store, orderId, rows, transactions } = entry;
  const { otherMonth, lookUp } = entry;
  const refunded = kind === 'charge' ? 'charged' : 'refunded';
  return (
    <tr>
      <td>{day}</td>
      <td>
        {transactions.length === 0
          ? 'nobody here'
          : transactions.map(({ transactionId, customerId }) => (
              <div key={transactionId}>
                <Link to={`${base}/customers/${customerId}`}>{transactionId}</Link>
              </div>
            ))}
      </td>
      <td class="number">{ours ? amountText(ours.proceeds, currency) : '–'}</td>
      <td class="number">{store ? amountText(store.proceeds, currency) : '–'}</td>
      <td class="number">{ours ? amountText(ours[refunded], currency) : '–'}</td>
      <td class="number">{store ? amountText(store[refunded], currency) : '–'}</td>
      <td>
        {count > 1 ? `${count} × ` : ''}
        {kind === 'refund' ? 'refund of ' : ''}
        {kind === 'reversal' ? 'refund taken back, of ' : ''}
        {sku ?? 'no product'}
        {country ? `, ${country}` : ''}, {appName(appId)}
        {otherMonth ? `; the other side in ${monthName(otherMonth)}` : ''}
        {lookUp && (
          <div>
            <small>{lookUp.text}</small>
          </div>
        )}
      </td>
      <td>
        {orderId ?? ''} {rows.length > 0 && <small>line {rows.map(({ row }) => row).join(', ')}</small>}
      </td>
    </tr>
  );
}
