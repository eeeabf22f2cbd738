// One month of the books: by app and currency ours, the store's and the difference, by cause; what is paid; and the reports.
import { api, unwrap, type Schemas } from '../api/client';
import { useQuery } from '../api/query';
import { useProject } from '../context/project';
import { query, setQuery, type PageProps } from '../context/router';
import { timeZone } from '../context/time-zone';
import { InstantChoice } from '../charts/compare/instant-choice';
import { calendarDay, count } from '../parts/format';
import { Link } from '../parts/link';
import { Empty, QueryView } from '../parts/states';
import { StatusBadge } from '../parts/status-badge';
import { Time } from '../parts/time';
import { Absences } from './absences';
import { Closing } from './closing';
import { Journal } from './journal';
import { amountText, asOfSearch, causeMeaning, causeName, monthName, reportName, useAppNames } from './names';

type BooksMonth = Schemas['BooksMonth'];
type Table = BooksMonth['tables'][number];

const COLUMNS = [
  ['charged', 'Charged'],
  ['refunded', 'Refunded'],
  ['tax', 'Tax'],
  ['fee', 'Store fees'],
  ['proceeds', 'Proceeds'],
] as const;

export default function MonthPage({ params: { month = '' } }: PageProps) {
  const { project, base } = useProject();
  const asOf = query.value.get('asOf');
  const read = useQuery(`books|${project.id}|${month}|${asOf ?? ''}`, (signal) => {
    const params = { path: { id: project.id, month }, query: { ...(asOf !== null && { asOf }) } };
    return unwrap(api.GET('/v1/projects/{id}/books/{month}', { params, signal }));
  });
  return (
    <>
      <p>
        <Link to={`${base}/money`}>All months</Link>
      </p>
      <h1>Money, {read.data ? monthName(read.data.month) : month}</h1>
      <div class="row end controls">
        <InstantChoice
          label={`As known at (${timeZone.value})`}
          instant={asOf}
          onChange={(instant) => setQuery({ asOf: instant })}
        />
        {asOf !== null && (
          <button type="button" onClick={() => setQuery({ asOf: null })}>
            Now
          </button>
        )}
      </div>
      <QueryView of={read} what="the month">
        {(of) => (
          <>
            <p>
              <StatusBadge status={of.state} /> {periodsText(of)}
              {of.asOf !== undefined && (
                <>
                  {' '}
                  As known at <Time at={of.asOf} />: what was recorded, added and closed later is left out.
                </>
              )}
            </p>
            {of.tables.length === 0 && <Empty title="Nothing was charged or reported in this month." />}
            {of.tables.map((table) => (
              <TableSection key={`${table.appId ?? ''}|${table.currency}`} table={table} month={of.month} />
            ))}
            <Absences of={of} />
            {asOf === null && (
              <>
                <Closing month={of.month} state={of.state} />
                <Journal month={of.month} isDraft={of.state !== 'closed'} />
              </>
            )}
            <Paid paid={of.paid} />
            <Payments payments={of.payments} />
            <Reports reports={of.reports} />
          </>
        )}
      </QueryView>
    </>
  );
}

function periodsText({ periods }: BooksMonth): string {
  return periods
    .map(({ kind, startDate, endDate }) => `${reportName(kind)}: ${calendarDay(startDate)} to ${calendarDay(endDate)}.`)
    .join(' ');
}

function TableSection({ table, month }: { readonly table: Table; readonly month: string }) {
  const { base } = useProject();
  const appName = useAppNames();
  const search = asOfSearch();
  const { appId, currency, causes } = table;
  const title = `${appName(appId)}, ${currency}`;
  const sides = [
    ['Ours', table.ours],
    ['The store', table.store],
    ['Difference', table.difference],
  ] as const;
  return (
    <section class="card" aria-label={title}>
      <h2>{title}</h2>
      <div class="scroll">
        <table>
          <caption>Amounts in {currency}</caption>
          <thead>
            <tr>
              <th scope="col">Side, or cause of the difference</th>
              {COLUMNS.map(([key, name]) => (
                <th key={key} scope="col" class="number">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {sides.map(([side, amounts]) => (
              <tr key={side}>
                <th scope="row">{side}</th>
                {COLUMNS.map(([key]) => (
                  <td key={key} class="number">
                    {amountText(amounts[key], currency)}
                  </td>
                ))}
              </tr>
            ))}
            {causes.map(({ cause, entries, difference }) => (
              <tr key={cause}>
                <th scope="row">
                  <Link to={`${base}/money/${month}/${cause}${search}`}>
                    {causeName(cause)} ({count(entries)})
                  </Link>{' '}
                  <small>{causeMeaning(cause)}</small>
                </th>
                {COLUMNS.map(([key]) => (
                  <td key={key} class="number">
                    {amountText(difference[key], currency)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Paid({ paid }: { readonly paid: BooksMonth['paid'] }) {
  if (!paid || paid.length === 0) return null;
  return (
    <section class="card" aria-label="Paid by the stores">
      <h2>Paid by the stores</h2>
      <div class="scroll">
        <table>
          <caption>By account and type of line, with all apps of the account</caption>
          <thead>
            <tr>
              <th scope="col">Account</th>
              <th scope="col">Line</th>
              <th scope="col" class="number">
                Lines
              </th>
              <th scope="col" class="number">
                Amount
              </th>
            </tr>
          </thead>
          <tbody>
            {paid.map(({ kind, account, type, currency, lines, amount }) => (
              <tr key={`${kind}|${account}|${type}|${currency}`}>
                <td>
                  {reportName(kind)}, {account}
                </td>
                <td>{type}</td>
                <td class="number">{count(lines)}</td>
                <td class="number">{amountText(amount, currency)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Payments({ payments }: { readonly payments: BooksMonth['payments'] }) {
  if (payments.length === 0) return null;
  return (
    <section class="card" aria-label="Paid to the bank">
      <h2>Paid to the bank</h2>
      <div class="scroll">
        <table>
          <caption>By region, as the payments page of the App Store states it</caption>
          <thead>
            <tr>
              <th scope="col">Region</th>
              {['Earned', 'Tax', 'Withheld', 'Adjustments', 'Owed', 'Paid'].map((name) => (
                <th key={name} scope="col" class="number">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {payments.map((of) => (
              <tr key={`${of.account}|${of.region}|${of.currency}|${of.isPaid}`}>
                <td>
                  {of.region}, {of.account}
                </td>
                {[of.earned, of.inputTax, of.withholdingTax, of.adjustments, of.owed].map((amount, i) => (
                  <td key={i} class="number">
                    {amountText(amount, of.currency)}
                  </td>
                ))}
                <td class="number">{of.isPaid ? amountText(of.proceeds, of.bankCurrency) : 'Held back'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Reports({ reports }: { readonly reports: BooksMonth['reports'] }) {
  if (reports.length === 0) return null;
  return (
    <section class="card" aria-label="Reports">
      <h2>Reports</h2>
      <ul>
        {reports.map(({ id, fileName, kind, account, lines, receivedAt, uncountedReason, part, unknownColumns }) => (
          <li key={id}>
            <strong>{fileName}</strong> {reportName(kind)}
            {part !== null && ` (${part})`}, account {account}, {count(lines)} lines, <Time at={receivedAt} />
            {uncountedReason === 'replaced' && ' Not counted: replaced by a newer one.'}
            {uncountedReason === 'outranked' && ' Not counted: another report of this account says more.'}
            {uncountedReason === 'too_many_lines' && ' Not counted: the month would have more lines than are compared.'}
            {unknownColumns.length > 0 && <small> Not used: {unknownColumns.join(', ')}</small>}
          </li>
        ))}
      </ul>
    </section>
  );
}
