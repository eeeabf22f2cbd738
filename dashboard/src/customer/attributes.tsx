// Attributes that the app wrote about the customer. They are personal data, so they are loaded only on request.
import { useState } from 'preact/hooks';
import { Time } from '../parts/time';
import type { CustomerDetail } from './customer-detail';

export function Attributes({ customer }: { readonly customer: CustomerDetail }) {
  const [isShown, setShown] = useState(false);
  if (customer.attributes === undefined) return null;
  const all = Object.entries(customer.attributes).sort(([a], [b]) => a.localeCompare(b));
  if (all.length === 0) return null;
  return (
    <section class="card" aria-labelledby="attributes-title">
      <h2 id="attributes-title">Attributes</h2>
      <button type="button" class="controls" aria-expanded={isShown} onClick={() => setShown(!isShown)}>
        {isShown ? 'Hide' : `Show ${all.length === 1 ? '1 attribute' : `${all.length} attributes`}`}
      </button>
      {isShown && (
        <dl>
          {all.map(([name, { value, updatedAt }]) => (
            <>
              <dt class="code">{name}</dt>
              <dd>
                {value}{' '}
                <small>
                  <Time at={updatedAt} />
                </small>
              </dd>
            </>
          ))}
        </dl>
      )}
    </section>
  );
}
