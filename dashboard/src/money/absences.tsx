// Reports of a month that will not come, and the buttons that declare one and take that back.
import { api, unwrap, type Schemas } from '../api/client';
import { useProject } from '../context/project';
import { listCountries } from '../names/countries';
import { STORE_NAMES, storeName } from '../names/stores';
import { Confirm } from '../parts/confirm';
import { Field, Select } from '../parts/form';
import { FormDialog, text } from '../parts/form-dialog';
import { Time } from '../parts/time';
import { monthName } from './names';

type BooksMonth = Schemas['BooksMonth'];
type Store = BooksMonth['absences'][number]['store'];

/** Stores that write reports. */
const STORES = Object.entries(STORE_NAMES).filter(([store]) => store !== 'test-store');

export function Absences({ of: { month, state, absences, asOf } }: { readonly of: BooksMonth }) {
  const { project, may } = useProject();
  const isNow = asOf === undefined;
  const mayChange = isNow && may('closeBooks') && state !== 'closed' && month < new Date().toISOString().slice(0, 7);
  if (absences.length === 0 && !mayChange) return null;
  const path = { id: project.id, month };
  const declare = (data: FormData) => {
    const countries = codesOf(text(data, 'countries'));
    const body = { store: text(data, 'store') as Store, countries, reason: text(data, 'reason') };
    return unwrap(api.POST('/v1/projects/{id}/books/{month}/absences', { params: { path }, body }));
  };
  const withdraw = (absenceId: string) =>
    unwrap(
      api.DELETE('/v1/projects/{id}/books/{month}/absences/{absenceId}', { params: { path: { ...path, absenceId } } }),
    );
  return (
    <section class="card" aria-label="Reports that will not come">
      <h2>Reports that will not come</h2>
      {absences.length === 0 && <p class="hint">None was declared: purchases wait for the reports of both stores.</p>}
      <ul class="plain">
        {absences.map(({ id, store, countries, reason, declaredAt, declaredBy }) => (
          <li key={id}>
            <strong>
              {storeName(store)}, {countries.length === 0 ? 'all countries' : countries.join(', ')}
            </strong>
            : {reason}{' '}
            <small>
              {declaredBy.name ?? declaredBy.id}, <Time at={declaredAt} />
            </small>{' '}
            {mayChange && (
              <Confirm
                label="Take back"
                title={`Wait for the report of the ${storeName(store)} again`}
                run={() => withdraw(id)}
                done="The month waits for the report again."
                breaks="Purchases that no report has wait again, and the month may no longer be complete."
              />
            )}
          </li>
        ))}
      </ul>
      {mayChange && (
        <FormDialog
          label="Declare absent"
          title={`A report of ${monthName(month)} will not come`}
          action="Declare"
          add={declare}
          done="Purchases of it wait no longer."
        >
          <p>For a store or region where nothing was sold, or an account that is closed.</p>
          <Select label="Store" name="store" options={STORES} />
          <Field
            label="Countries"
            name="countries"
            autocomplete="off"
            hint="Of one region only: codes such as CA, US. Empty: all countries."
          />
          <Field label="Reason" name="reason" required maxLength={500} />
        </FormDialog>
      )}
    </section>
  );
}

/** Throws an error that names what is no country. */
function codesOf(typed: string): string[] {
  const codes = typed
    .toUpperCase()
    .split(/[\s,;]+/)
    .filter((code) => code !== '');
  const known = new Set(listCountries().map(([code]) => code));
  const unknown = codes.find((code) => !known.has(code));
  if (unknown !== undefined) throw new Error(`${unknown} is no code of a country, such as DE or US.`);
  return codes;
}
