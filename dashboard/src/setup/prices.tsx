// Prices of a product: the fields of a first price, and a form for another one. A product of the test store cannot be shown without a price.
import { api, unwrap, type Schemas } from '../api/client';
import { useProject } from '../context/project';
import { Field } from '../parts/form';
import { FormDialog, text } from '../parts/form-dialog';

type Product = Schemas['Product'];

export function PriceFields({ isRequired }: { readonly isRequired: boolean }) {
  const { project } = useProject();
  return (
    <div class="row end">
      <Field
        label="Price"
        name="amount"
        type="number"
        min={0}
        step="any"
        required={isRequired}
        placeholder="9.99"
        hint={isRequired ? 'The test store has no other price.' : 'Used when the store does not report one.'}
        autocomplete="off"
      />
      <Field
        label="Currency"
        name="currency"
        maxLength={3}
        size={5}
        required={isRequired}
        defaultValue={project.displayCurrency}
        autocomplete="off"
      />
    </div>
  );
}

/** Adds the price of the form to the product; does nothing without one. */
export async function addPrice(projectId: string, pid: string, data: FormData): Promise<void> {
  const amount = text(data, 'amount');
  if (amount === '') return;
  const body = { amount: Number(amount), currency: text(data, 'currency').toUpperCase() };
  const params = { path: { id: projectId, pid } };
  await unwrap(api.POST('/v1/projects/{id}/products/{pid}/prices', { params, body }));
}

export function AddPrice({ product: { id, displayName } }: { readonly product: Product }) {
  const { project } = useProject();
  return (
    <FormDialog
      label="Add price"
      title={`Add a price to ${displayName}`}
      action="Add price"
      add={(data) => addPrice(project.id, id, data)}
      done="Added."
    >
      <PriceFields isRequired />
    </FormDialog>
  );
}

/** Returns the prices as text, such as `9.99 USD, 8.99 EUR in DE`. */
export function pricesOf({ prices }: Product): string {
  return (
    prices.map((p) => `${p.amount} ${p.currency}${p.country === null ? '' : ` in ${p.country}`}`).join(', ') || '–'
  );
}
