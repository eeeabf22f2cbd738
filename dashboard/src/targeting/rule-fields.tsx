// Form fields of a targeting rule: who it is for, and what it shows at each placement.
import type { Schemas } from '../api/client';
import { Check, Field, Select } from '../parts/form';
import { text } from '../parts/form-dialog';
import { useOfferings } from '../setup/lists';
import { conditionsOf, conditionWords, dayOf, formConditions, type Rule } from './conditions';

export type Placement = Schemas['Placement'];

const MEMBERSHIP = [
  ['in', 'is one of'],
  ['not_in', 'is none of'],
] as const;
/** Values of the choice at a placement that are no ids. */
const LIKE_RULE = '';
const NOTHING = 'nothing';

type FieldsProps = { readonly rule?: Rule; readonly placements: readonly Placement[] };

export function RuleFields({ rule, placements }: FieldsProps) {
  const offerings = (useOfferings().data?.items ?? []).filter((o) => !o.archived);
  const choices = offerings.map(({ id, displayName }) => [id, displayName] as const);
  const c = formConditions(rule?.conditions ?? []);
  const ownChoice = (id: string) => {
    const own = rule?.placements.find((p) => p.placementId === id);
    return own === undefined ? LIKE_RULE : (own.offeringId ?? NOTHING);
  };
  return (
    <>
      <Field label="Name" name="name" required maxLength={100} autocomplete="off" defaultValue={rule?.name ?? ''} />
      <fieldset>
        <legend>Who gets it: all of these hold; empty fields do not matter</legend>
        <div class="row end">
          <Select label="Country" name="countryOperator" value={c.country?.operator ?? 'in'} options={MEMBERSHIP} />
          <Field
            label="Countries"
            name="countries"
            placeholder="DE, AT"
            autocomplete="off"
            defaultValue={c.country?.values.join(', ') ?? ''}
          />
        </div>
        <div class="row end">
          <Select label="Platform" name="platformOperator" value={c.platform?.operator ?? 'in'} options={MEMBERSHIP} />
          <Field
            label="Platforms"
            name="platforms"
            placeholder="ios, macos"
            autocomplete="off"
            defaultValue={c.platform?.values.join(', ') ?? ''}
          />
        </div>
        <div class="row end">
          <Field
            label="App version from"
            name="minVersion"
            placeholder="2.4"
            autocomplete="off"
            defaultValue={c.minVersion?.value ?? ''}
          />
          <Field
            label="App version below"
            name="belowVersion"
            placeholder="3"
            autocomplete="off"
            defaultValue={c.belowVersion?.value ?? ''}
          />
        </div>
        <div class="row end">
          <Field
            label="Attribute"
            name="attribute"
            placeholder="plan"
            autocomplete="off"
            defaultValue={c.attribute?.name ?? ''}
          />
          <Select
            label="Comparison"
            name="attributeOperator"
            value={c.attribute?.operator ?? 'in'}
            options={MEMBERSHIP}
          />
          <Field
            label="Values"
            name="attributeValues"
            placeholder="team, school"
            autocomplete="off"
            defaultValue={c.attribute?.values.join(', ') ?? ''}
          />
        </div>
        <div class="row end">
          <Field
            label="First seen from"
            name="seenFrom"
            type="date"
            defaultValue={c.seenFrom === undefined ? '' : dayOf(c.seenFrom.at)}
          />
          <Field
            label="First seen before"
            name="seenBefore"
            type="date"
            defaultValue={c.seenBefore === undefined ? '' : dayOf(c.seenBefore.at)}
          />
          <Select
            label="Subscriber"
            name="subscriber"
            value={c.subscriber === undefined ? '' : c.subscriber.value ? 'yes' : 'no'}
            options={[
              ['', 'does not matter'],
              ['yes', 'yes'],
              ['no', 'no'],
            ]}
          />
        </div>
        {c.rest.length > 0 && (
          <p class="hint">Set over the API, and kept as it is: {c.rest.map(conditionWords).join('; ')}.</p>
        )}
      </fieldset>
      <fieldset>
        <legend>What it shows</legend>
        <Select
          label="Offering"
          name="offeringId"
          value={rule?.offeringId ?? ''}
          options={[['', 'the current offering'], ...choices]}
        />
        {placements.map(({ id, displayName }) => (
          <Select
            key={id}
            label={`At ${displayName}`}
            name={`at.${id}`}
            value={ownChoice(id)}
            options={[[LIKE_RULE, 'the same'], [NOTHING, 'nothing'], ...choices]}
          />
        ))}
      </fieldset>
      <Check label="Active" name="isActive" value="on" isOn={rule?.isActive ?? true} />
    </>
  );
}

export function ruleBody(data: FormData, { rule, placements }: FieldsProps) {
  const offeringId = text(data, 'offeringId');
  const chosen = placements.map(({ id }) => ({ placementId: id, choice: text(data, `at.${id}`) }));
  return {
    name: text(data, 'name'),
    isActive: data.get('isActive') !== null,
    conditions: conditionsOf(data, formConditions(rule?.conditions ?? []).rest),
    offeringId: offeringId === '' ? null : offeringId,
    placements: chosen
      .filter(({ choice }) => choice !== LIKE_RULE)
      .map(({ placementId, choice }) => ({ placementId, offeringId: choice === NOTHING ? null : choice })),
  };
}
