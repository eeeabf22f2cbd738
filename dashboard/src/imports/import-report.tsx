// Report of an import: what the file contains, what is recorded, and what needs attention with its way out.
import type { Schemas } from '../api/client';
import { count, money, wordsOf } from '../parts/format';

type Report = NonNullable<Schemas['Import']['report']>;

export function ImportReport({ report }: { readonly report: Report }) {
  const events = Object.values(report.events).reduce((sum, n) => sum + n, 0);
  const rows: readonly (readonly [string, number])[] = [
    ['Customers', report.customers],
    ['Other names of customers', report.aliases],
    ['Active subscriptions', report.activeSubscriptions],
    ...Object.entries(report.transactions).map(([store, n]) => [`Transactions, ${store}`, n] as const),
    ['Refunds', report.refunds],
    ['Grants', report.grants],
    [report.dryRun ? 'Events to record' : 'Events recorded', events],
  ];
  return (
    <>
      {report.files.flatMap(({ name, missing }) =>
        missing.map(({ column, consequence }) => (
          <p key={`${name}|${column}`} class="hint">
            {name} has no column {column}: {consequence}.
          </p>
        )),
      )}
      <Table caption="Contents" head={['', 'Number']} rows={rows.map(([name, n]) => [name, count(n)])} />
      {(report.gross ?? []).length > 0 && (
        <details>
          <summary>Gross per month</summary>
          <Table
            caption="Gross per month of purchase, before refunds"
            head={['Month', 'Gross']}
            rows={(report.gross ?? []).map((one) => [one.month, money(one.amountMicros / 1_000_000, one.currency)])}
          />
        </details>
      )}
      {report.unknownProducts.length > 0 && (
        <Table
          caption="Products that are not in the catalogue"
          head={['Product', 'Transactions']}
          rows={report.unknownProducts.map((one) => [`${one.store} ${one.storeProductId}`, count(one.transactions)])}
        />
      )}
      {report.problems.map((problem) => (
        <Problem key={problem.code} problem={problem} />
      ))}
    </>
  );
}

function Problem({ problem }: { readonly problem: Report['problems'][number] }) {
  const { code, meaning, wayOut, count: n, examples = [] } = problem;
  return (
    <details>
      <summary>
        {count(n)} × {wordsOf(code)}: {meaning}
      </summary>
      <p>To resolve: {wayOut}.</p>
      <ul>
        {examples.map(({ file, row, detail }) => (
          <li key={`${file}|${row}|${detail}`}>
            {file}, row {row}
            {detail && `: ${detail}`}
          </li>
        ))}
      </ul>
    </details>
  );
}

function Table({
  caption,
  head: [first, second],
  rows,
}: {
  readonly caption: string;
  readonly head: readonly [string, string];
  readonly rows: readonly (readonly [string, string])[];
}) {
  return (
    <div class="scroll">
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{first}</th>
            <th scope="col" class="number">
              {second}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, value], i) => (
            <tr key={i}>
              <th scope="row">{name}</th>
              <td class="number">{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
