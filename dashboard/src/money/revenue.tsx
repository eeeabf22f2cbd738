// Revenue: how the project counts it, and what is deferred and recognised in each month.
import { api, unwrap, type Schemas } from '../api/client';
import { useQuery } from '../api/query';
import { useProject } from '../context/project';
import { CsvButton } from '../parts/csv-button';
import { Field, Select } from '../parts/form';
import { FormDialog, text } from '../parts/form-dialog';
import { Empty, QueryView } from '../parts/states';
import { amountText, monthName } from './names';

type Schedule = Schemas['BooksSchedule'];

const BASES = { gross: 'What buyers pay (gross)', net: 'What is left after tax and store fees (net)' } as const;
const COLUMNS = [
  ['opening', 'Deferred before'],
  ['billed', 'Billed'],
  ['recognised', 'Recognised'],
  ['refunded', 'Refunded'],
  ['closing', 'Deferred after'],
] as const;

export function Revenue() {
  const { project, may } = useProject();
  const path = { id: project.id };
  const schedule = useQuery(`books|${project.id}|schedule`, (signal) =>
    unwrap(api.GET('/v1/projects/{id}/books/schedule', { params: { path }, signal })),
  );
  const loadTable = async () => {
    const asking = api.GET('/v1/projects/{id}/books/schedule', {
      params: { path },
      headers: { accept: 'text/csv' },
      parseAs: 'text',
    });
    return String(await unwrap(asking as Promise<{ data?: string; response: Response }>));
  };
  return (
    <section class="card" aria-label="Revenue">
      <h2>Revenue</h2>
      <QueryView of={schedule} what="the revenue">
        {(of) => (
          <>
            <p>{of.basis === null ? 'No revenue is counted until it is chosen how.' : rulesText(of)}</p>
            <div class="row">
              {may('closeBooks') && <Rules of={of} />}
              {of.basis !== null && <CsvButton fileName="revenue-schedule.csv" load={loadTable} />}
            </div>
            {of.basis !== null && <Rows rows={of.rows} />}
          </>
        )}
      </QueryView>
    </section>
  );
}

type RulesOf = Pick<Schedule, 'basis' | 'timeZone' | 'lifetimeMonths'>;

function rulesText({ basis, timeZone, lifetimeMonths }: RulesOf): string {
  const whole = lifetimeMonths === 0 ? 'at once' : `over ${lifetimeMonths} months`;
  return `${basis === null ? '' : BASES[basis]}, by days in ${timeZone}; purchases without an end ${whole}.`;
}

/** Button with the form of the rules by which revenue is counted. */
function Rules({ of }: { readonly of: RulesOf }) {
  const { project } = useProject();
  const add = (data: FormData) => {
    const body = {
      basis: text(data, 'basis') === 'net' ? ('net' as const) : ('gross' as const),
      timeZone: text(data, 'timeZone'),
      lifetimeMonths: Number(text(data, 'lifetimeMonths')),
    };
    return unwrap(api.PUT('/v1/projects/{id}/books/settings', { params: { path: { id: project.id } }, body }));
  };
  return (
    <FormDialog label="Set how revenue is counted" action="Save" add={add} done="Revenue is counted anew.">
      <Select label="Revenue is" name="basis" value={of.basis ?? 'gross'} options={Object.entries(BASES)} />
      <Field
        label="Time zone"
        name="timeZone"
        required
        defaultValue={of.timeZone}
        hint="Such as Europe/Berlin or UTC."
      />
      <Field
        label="Months of a purchase without an end"
        name="lifetimeMonths"
        {...{ type: 'number', min: 0, max: 120, required: true, defaultValue: of.lifetimeMonths }}
        hint="Its revenue is spread over so many months; 0: all at once."
      />
    </FormDialog>
  );
}

function Rows({ rows }: Pick<Schedule, 'rows'>) {
  if (rows.length === 0) return <Empty title="Nothing was billed in production yet." />;
  return (
    <div class="scroll">
      <table>
        <caption>Deferred and recognised revenue</caption>
        <thead>
          <tr>
            <th scope="col">Month</th>
            {COLUMNS.map(([key, name]) => (
              <th key={key} scope="col" class="number">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={`${row.month}|${row.currency}`}>
              <th scope="row">{monthName(row.month)}</th>
              {COLUMNS.map(([key]) => (
                <td key={key} class="number">
                  {amountText(row[key], row.currency)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
