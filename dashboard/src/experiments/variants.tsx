// Variants of an experiment: each shows its customers an offering.
import { api, unwrap } from '../api/client';
import { refresh } from '../api/query';
import { useProject } from '../context/project';
import { formatInUnit } from '../parts/format';
import { FormDialog, text } from '../parts/form-dialog';
import { Confirm } from '../parts/confirm';
import { Check, Field, Select } from '../parts/form';
import { Link } from '../parts/link';
import { useOfferings } from '../setup/lists';
import type { Experiment } from './experiment-fields';

export function Variants({ experiment }: { readonly experiment: Experiment }) {
  const { project, base, may } = useProject();
  const offerings = useOfferings().data?.items ?? [];
  const { id, status, variants, winnerVariantId } = experiment;
  const path = { id: project.id, eid: id };
  const canChange = may('configure') && status === 'draft';
  const add = async (data: FormData) => {
    const body = {
      name: text(data, 'name'),
      offeringId: text(data, 'offeringId'),
      weight: Number(text(data, 'weight')),
      isControl: data.get('isControl') !== null,
    };
    await unwrap(api.POST('/v1/projects/{id}/experiments/{eid}/variants', { params: { path }, body }));
    // The form must know about the new control variant when it is opened again.
    await refresh();
  };
  const remove = (vid: string) =>
    unwrap(api.DELETE('/v1/projects/{id}/experiments/{eid}/variants/{vid}', { params: { path: { ...path, vid } } }));
  const whole = variants.reduce((sum, { weight }) => sum + weight, 0);
  return (
    <section class="card" aria-labelledby="variants-title">
      <h2 id="variants-title">Variants</h2>
      {variants.length === 0 ? (
        <p>No variants yet. Add a control with today’s offering, and one with another offering.</p>
      ) : (
        <div class="scroll">
          <table>
            <caption class="visually-hidden">Variants</caption>
            <thead>
              <tr>
                <th scope="col">Variant</th>
                <th scope="col">Offering</th>
                <th scope="col" class="number">
                  Share
                </th>
                {canChange && <th scope="col">Change</th>}
              </tr>
            </thead>
            <tbody>
              {variants.map((one) => (
                <tr key={one.id}>
                  <th scope="row">
                    {one.name} {one.isControl && <span class="badge">control</span>}{' '}
                    {one.id === winnerVariantId && <span class="badge good">winner</span>}
                  </th>
                  <td>{offerings.find((o) => o.id === one.offeringId)?.displayName ?? one.offeringId}</td>
                  <td class="number">{formatInUnit(Math.round((100 * one.weight) / Math.max(1, whole)), 'percent')}</td>
                  {canChange && (
                    <td>
                      <Confirm
                        label="Remove"
                        title={`Remove ${one.name}`}
                        run={() => remove(one.id)}
                        done="Removed."
                        breaks="Its offering is no longer part of this experiment; the other variants get its share. The experiment has not started: no results are lost."
                      />
                    </td>
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {canChange && offerings.length === 0 && (
        <p>
          A variant shows an offering. Create one on the <Link to={`${base}/setup`}>setup page</Link> first.
        </p>
      )}
      {canChange && offerings.length > 0 && (
        <FormDialog label="Add variant" add={add} done="Added.">
          <Field label="Name" name="name" required maxLength={100} autocomplete="off" />
          <Select
            label="Offering"
            name="offeringId"
            options={offerings.map((one) => [one.id, one.displayName] as const)}
          />
          <Field
            label="Weight"
            name="weight"
            type="number"
            required
            min={1}
            max={100}
            defaultValue="50"
            hint="Share = weight / sum of all weights."
          />
          <Check
            label="Control: the baseline of the comparison"
            name="isControl"
            value="on"
            isOn={variants.length === 0}
          />
        </FormDialog>
      )}
    </section>
  );
}
