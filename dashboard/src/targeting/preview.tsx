// Preview of what one customer is offered, with the result of each rule.
import { useState } from 'preact/hooks';
import { api, unwrap, type Schemas } from '../api/client';
import { useProject } from '../context/project';
import { Field, Form } from '../parts/form';
import { text } from '../parts/form-dialog';
import { conditionWords } from './conditions';

type Preview = Schemas['OfferingPreview'];
type RuleExplanation = NonNullable<Preview['rules']>[number];

const RESULTS: Readonly<Record<RuleExplanation['result'], string>> = {
  chosen: 'applies',
  not_met: 'does not apply',
  inactive: 'switched off',
  not_reached: 'not reached',
};

export function PreviewCard() {
  const { project } = useProject();
  const [shown, setShown] = useState<Preview | null>(null);
  const show = async (data: FormData) => {
    setShown(null);
    const path = { id: project.id, cid: text(data, 'cid') };
    setShown(await unwrap(api.GET('/v1/projects/{id}/customers/{cid}/offerings', { params: { path } })));
  };
  return (
    <section class="card" aria-labelledby="preview-title">
      <h2 id="preview-title">Preview</h2>
      <Form label="Show" submit={show} isPlain>
        <Field
          label="Customer"
          name="cid"
          required
          maxLength={255}
          hint="App user ID or customer ID. Nothing is changed."
          autocomplete="off"
        />
      </Form>
      <div aria-live="polite">{shown && <PreviewResult preview={shown} />}</div>
    </section>
  );
}

function PreviewResult({ preview: { sentence, offering, placements, rules } }: { readonly preview: Preview }) {
  return (
    <>
      <p class="verdict has">
        <strong>Gets {offering?.lookupKey ?? 'no offering'}</strong>
        <span>{sentence}</span>
      </p>
      {placements.length > 0 && (
        <ul class="plain entries" aria-label="At each placement">
          {placements.map(({ placementId, lookupKey, offering: own }) => (
            <li key={placementId}>
              <strong>{lookupKey}</strong> {own?.lookupKey ?? 'nothing'}
            </li>
          ))}
        </ul>
      )}
      {rules && rules.length > 0 && (
        <ol aria-label="Rules">
          {rules.map((rule) => (
            <li key={rule.id}>
              <strong>{rule.name}</strong>{' '}
              <span class={`badge ${rule.result === 'chosen' ? 'good' : ''}`}>{RESULTS[rule.result]}</span>
              <ul>
                {rule.conditions.map(({ isMet, actual, ...condition }, i) => (
                  <li key={i}>
                    <span aria-hidden="true">{isMet ? '✓' : '✕'}</span>{' '}
                    <span class="visually-hidden">{isMet ? 'Holds:' : 'Does not hold:'} </span>
                    {conditionWords(condition)} <small>({actual ?? 'unknown'})</small>
                  </li>
                ))}
              </ul>
            </li>
          ))}
        </ol>
      )}
    </>
  );
}
