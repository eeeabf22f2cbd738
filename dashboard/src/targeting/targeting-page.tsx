// Targeting: the placements of the app, the ordered rules that choose what is offered there, and a preview for one customer.
import { api, unwrap, unwrapAll } from '../api/client';
import { invalidate, useQuery } from '../api/query';
import { useProject } from '../context/project';
import { Confirm } from '../parts/confirm';
import { Field, Form } from '../parts/form';
import { FormDialog, text } from '../parts/form-dialog';
import { Menu } from '../parts/menu';
import { QueryView } from '../parts/states';
import { useOfferings } from '../setup/lists';
import { conditionWords, type Rule } from './conditions';
import { PreviewCard } from './preview';
import { ruleBody, RuleFields, type Placement } from './rule-fields';

function usePlacements() {
  const { project } = useProject();
  const path = { id: project.id };
  return useQuery(`placements|${project.id}`, (signal) =>
    unwrapAll((query) => api.GET('/v1/projects/{id}/placements', { params: { path, query }, signal })),
  );
}

export default function TargetingPage() {
  const { may } = useProject();
  const placements = usePlacements().data?.items ?? [];
  return (
    <>
      <h1>Targeting</h1>
      <Rules placements={placements} />
      <Placements />
      {may('readCustomers') && <PreviewCard />}
      {!may('configure') && <p class="hint">An owner or admin of the project can change placements and rules.</p>}
    </>
  );
}

function Rules({ placements }: { readonly placements: readonly Placement[] }) {
  const { project, may } = useProject();
  const path = { id: project.id };
  const rules = useQuery(`targeting-rules|${project.id}`, (signal) =>
    unwrapAll((query) => api.GET('/v1/projects/{id}/targeting-rules', { params: { path, query }, signal })),
  );
  const add = (data: FormData) =>
    unwrap(api.POST('/v1/projects/{id}/targeting-rules', { params: { path }, body: ruleBody(data, { placements }) }));
  return (
    <section class="card" aria-labelledby="rules-title">
      <header class="head">
        <h2 id="rules-title">Rules</h2>
        {may('configure') && (
          <FormDialog label="Add rule" add={add} done="Added.">
            <RuleFields placements={placements} />
          </FormDialog>
        )}
      </header>
      <p class="hint">
        The first active rule whose conditions all hold chooses; without one, the current offering is shown. A customer
        in a running experiment gets its variant instead.
      </p>
      <QueryView of={rules} what="the targeting rules">
        {({ items }) =>
          items.length === 0 ? (
            <p>No rules yet. Every customer gets the current offering.</p>
          ) : (
            <ol class="plain entries" aria-label="Rules in their order">
              {items.map((rule) => (
                <RuleEntry key={rule.id} rule={rule} placements={placements} isLast={rule === items.at(-1)} />
              ))}
            </ol>
          )
        }
      </QueryView>
    </section>
  );
}

type RuleEntryProps = {
  readonly rule: Rule;
  readonly placements: readonly Placement[];
  readonly isLast: boolean;
};

function RuleEntry({ rule, placements, isLast }: RuleEntryProps) {
  const { may } = useProject();
  const offerings = useOfferings().data?.items ?? [];
  const nameOf = (id: string | null, otherwise: string) =>
    id === null ? otherwise : (offerings.find((o) => o.id === id)?.displayName ?? id);
  const own = rule.placements.map(({ placementId, offeringId }) => {
    const placement = placements.find((p) => p.id === placementId)?.displayName ?? placementId;
    return `${nameOf(offeringId, 'nothing')} at ${placement}`;
  });
  const who = rule.conditions.map(conditionWords).join(' and ');
  return (
    <li>
      <header class="head">
        <h3>
          {rule.name} <span class={`badge ${rule.isActive ? 'good' : ''}`}>{rule.isActive ? 'active' : 'off'}</span>
        </h3>
        {may('configure') && <RuleActions rule={rule} placements={placements} isLast={isLast} />}
      </header>
      <p>
        {who === '' ? 'Everybody' : `If ${who}`}: {nameOf(rule.offeringId, 'the current offering')}
        {own.length > 0 && `; ${own.join(', ')}`}
      </p>
    </li>
  );
}

function RuleActions({ rule, placements, isLast }: RuleEntryProps) {
  const { project } = useProject();
  const { id, name, position } = rule;
  const params = { path: { id: project.id, ruleId: id } };
  const change = (data: FormData) => {
    const body = ruleBody(data, { rule, placements });
    return unwrap(api.PATCH('/v1/projects/{id}/targeting-rules/{ruleId}', { params, body }));
  };
  const move = async (to: number) => {
    await unwrap(api.PATCH('/v1/projects/{id}/targeting-rules/{ruleId}', { params, body: { position: to } }));
    invalidate();
  };
  const remove = () => unwrap(api.DELETE('/v1/projects/{id}/targeting-rules/{ruleId}', { params }));
  return (
    <Menu label={`Actions for ${name}`}>
      <FormDialog label="Edit" title={`Edit ${name}`} action="Save" add={change} done="Saved.">
        <RuleFields rule={rule} placements={placements} />
      </FormDialog>
      {position > 0 && <MoveButton label="Move up" name={name} move={() => move(position - 1)} />}
      {!isLast && <MoveButton label="Move down" name={name} move={() => move(position + 1)} />}
      <Confirm
        label="Delete"
        title={`Delete ${name}`}
        run={remove}
        done="Deleted."
        breaks={rule.isActive ? 'Its customers get what a later rule chooses, or the current offering.' : 'It is off.'}
      />
    </Menu>
  );
}

function MoveButton(o: { readonly label: string; readonly name: string; readonly move: () => Promise<void> }) {
  return (
    <Form label={o.label} submit={o.move} isPlain>
      <span class="visually-hidden">{o.name}</span>
    </Form>
  );
}

function Placements() {
  const { project, may } = useProject();
  const path = { id: project.id };
  const placements = usePlacements();
  const add = (data: FormData) => {
    const body = { lookupKey: text(data, 'lookupKey'), displayName: text(data, 'displayName') };
    return unwrap(api.POST('/v1/projects/{id}/placements', { params: { path }, body }));
  };
  return (
    <section class="card" aria-labelledby="placements-title">
      <header class="head">
        <h2 id="placements-title">Placements</h2>
        {may('configure') && (
          <FormDialog label="Add placement" add={add} done="Added.">
            <Field
              label="Lookup key"
              name="lookupKey"
              required
              placeholder="onboarding_end"
              hint="As in the app’s code."
              autocomplete="off"
            />
            <Field label="Display name" name="displayName" required maxLength={200} autocomplete="off" />
          </FormDialog>
        )}
      </header>
      <QueryView of={placements} what="the placements">
        {({ items }) =>
          items.length === 0 ? (
            <p>No placements yet. A placement is a place in the app that offers something.</p>
          ) : (
            <ul class="plain entries" aria-label="Placements">
              {items.map((one) => (
                <li key={one.id} class="head">
                  <span>
                    <strong>{one.displayName}</strong> <small class="code">{one.lookupKey}</small>
                  </span>
                  {may('configure') && <PlacementActions placement={one} />}
                </li>
              ))}
            </ul>
          )
        }
      </QueryView>
    </section>
  );
}

function PlacementActions({ placement: { id, displayName } }: { readonly placement: Placement }) {
  const { project } = useProject();
  const params = { path: { id: project.id, plid: id } };
  const change = (data: FormData) =>
    unwrap(
      api.PATCH('/v1/projects/{id}/placements/{plid}', { params, body: { displayName: text(data, 'displayName') } }),
    );
  const remove = () => unwrap(api.DELETE('/v1/projects/{id}/placements/{plid}', { params }));
  return (
    <Menu label={`Actions for ${displayName}`}>
      <FormDialog label="Edit" title={`Edit ${displayName}`} action="Save" add={change} done="Saved.">
        <Field label="Display name" name="displayName" required maxLength={200} defaultValue={displayName} />
      </FormDialog>
      <Confirm
        label="Delete"
        title={`Delete ${displayName}`}
        run={remove}
        done="Deleted."
        breaks="Apps that ask for it get the same as everywhere else."
      />
    </Menu>
  );
}
