// Closing of a month: who closed it and when, what has changed since, and the buttons that close and reopen it.
import { api, unwrap, type Schemas } from '../api/client';
import { useQuery } from '../api/query';
import { useProject } from '../context/project';
import { Confirm } from '../parts/confirm';
import { Field } from '../parts/form';
import { text } from '../parts/form-dialog';
import { Time } from '../parts/time';
import { amountText, monthName, useAppNames } from './names';

type MonthClosing = Schemas['MonthClosing'];

/** Shows nothing while the month waits to end. */
export function Closing({ month, state }: { readonly month: string; readonly state: string }) {
  const { project, may } = useProject();
  const params = { path: { id: project.id, month } };
  const read = useQuery(`closing|${project.id}|${month}`, (signal) =>
    unwrap(api.GET('/v1/projects/{id}/books/{month}/closing', { params, signal })),
  );
  if (!read.data) return null;
  const { closing, tables, corrections } = read.data;
  const name = monthName(month);
  const close = (data: FormData) => {
    const incompleteReason = text(data, 'reason');
    const body = incompleteReason === '' ? {} : { incompleteReason };
    return unwrap(api.POST('/v1/projects/{id}/books/{month}/close', { params, body }));
  };
  const reopen = (data: FormData) =>
    unwrap(api.POST('/v1/projects/{id}/books/{month}/reopen', { params, body: { reason: text(data, 'reason') } }));
  return (
    <section class="card" aria-label="Closing">
      <h2>Closing</h2>
      {closing ? (
        <p>
          Closed by {closing.closedBy.name ?? closing.closedBy.id} on <Time at={closing.closedAt} />.
          {closing.incompleteReason !== null && ` Purchases waited for a report: ${closing.incompleteReason}`}
        </p>
      ) : (
        <p>This month is open.</p>
      )}
      {closing && <Corrections tables={tables} />}
      <Pending corrections={corrections} />
      {may('closeBooks') && !closing && (
        <Confirm
          label="Close the month"
          title={`Close ${name}`}
          action="Close"
          run={close}
          done={`${name} is closed.`}
          breaks="Its figures are frozen. What becomes known later is a correction in the open month."
        >
          {state === 'open' && (
            <Field
              label="Reason"
              name="reason"
              required
              hint="Purchases wait for a report. Why is the month closed now?"
            />
          )}
        </Confirm>
      )}
      {may('closeBooks') && closing && (
        <Confirm
          label="Reopen the month"
          title={`Reopen ${name}`}
          action="Reopen"
          run={reopen}
          done={`${name} is open again.`}
          breaks="Its figures are no longer frozen. The journal of its next closing adds the difference."
        >
          <Field label="Reason" name="reason" required />
        </Confirm>
      )}
    </section>
  );
}

function Corrections({ tables }: Pick<MonthClosing, 'tables'>) {
  const appName = useAppNames();
  return (
    <div class="scroll">
      <table>
        <caption>Proceeds as closed, the corrections since, and as known now</caption>
        <thead>
          <tr>
            <th scope="col">App</th>
            <th scope="col">Side</th>
            <th scope="col" class="number">
              As closed
            </th>
            <th scope="col" class="number">
              Corrections
            </th>
            <th scope="col" class="number">
              As known now
            </th>
          </tr>
        </thead>
        <tbody>
          {tables.flatMap(({ appId, currency, asClosed, corrections, asKnownNow }) =>
            (['ours', 'store'] as const).map((side) => (
              <tr key={`${appId ?? ''}|${currency}|${side}`}>
                <th scope="row">
                  {appName(appId)}, {currency}
                </th>
                <td>{side === 'ours' ? 'Ours' : 'The store'}</td>
                <td class="number">{amountText(asClosed[side].proceeds, currency)}</td>
                <td class="number">{amountText(corrections[side].proceeds, currency)}</td>
                <td class="number">{amountText(asKnownNow[side].proceeds, currency)}</td>
              </tr>
            )),
          )}
        </tbody>
      </table>
    </div>
  );
}

function Pending({ corrections }: Pick<MonthClosing, 'corrections'>) {
  const appName = useAppNames();
  if (corrections.length === 0) return null;
  return (
    <div class="scroll">
      <table>
        <caption>Corrections of closed months, which are booked with this one</caption>
        <thead>
          <tr>
            <th scope="col">Month</th>
            <th scope="col">App</th>
            <th scope="col" class="number">
              Proceeds, ours
            </th>
            <th scope="col" class="number">
              Proceeds, store
            </th>
            <th scope="col" class="number">
              Revenue recognised
            </th>
          </tr>
        </thead>
        <tbody>
          {corrections.map(({ month, appId, currency, ours, store, revenue }) => (
            <tr key={`${month}|${appId ?? ''}|${currency}`}>
              <th scope="row">{monthName(month)}</th>
              <td>{appName(appId)}</td>
              <td class="number">{amountText(ours.proceeds, currency)}</td>
              <td class="number">{amountText(store.proceeds, currency)}</td>
              <td class="number">{amountText(revenue.recognised, currency)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
