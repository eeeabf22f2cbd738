// Conditions of a targeting rule: in words, and as fields of a form. The form has one field for each kind; what else a rule has, since the API
// allows several of a kind, stays as it is.
import type { Schemas } from '../api/client';
import { text } from '../parts/form-dialog';
import { calendarDay } from '../parts/format';

export type Rule = Schemas['TargetingRule'];
export type Condition = Rule['conditions'][number];
type Body = NonNullable<Schemas['CreateTargetingRuleBody']['conditions']>;
type Kind = Condition['kind'];

export function conditionWords(c: Condition): string {
  switch (c.kind) {
    case 'country':
    case 'platform':
      return `${c.kind} is ${c.operator === 'in' ? '' : 'not '}${c.values.join(' or ')}`;
    case 'app_version':
      return `app version is ${c.operator === 'at_least' ? `${c.value} or later` : `earlier than ${c.value}`}`;
    case 'attribute':
      return `${c.name} is ${c.operator === 'in' ? '' : 'not '}${c.values.join(' or ')}`;
    case 'attribute_set':
      return `${c.name} is ${c.value ? 'set' : 'not set'}`;
    case 'first_seen':
      return `first seen ${c.operator === 'before' ? 'before' : 'on or after'} ${calendarDay(c.at)}`;
    case 'subscriber':
      return c.value ? 'is a subscriber' : 'is not a subscriber';
  }
}

/** Conditions by form field; `rest` has no field. */
export type FormConditions = {
  readonly country?: Extract<Condition, { kind: 'country' }>;
  readonly platform?: Extract<Condition, { kind: 'platform' }>;
  readonly minVersion?: Extract<Condition, { kind: 'app_version' }>;
  readonly belowVersion?: Extract<Condition, { kind: 'app_version' }>;
  readonly attribute?: Extract<Condition, { kind: 'attribute' }>;
  readonly seenFrom?: Extract<Condition, { kind: 'first_seen' }>;
  readonly seenBefore?: Extract<Condition, { kind: 'first_seen' }>;
  readonly subscriber?: Extract<Condition, { kind: 'subscriber' }>;
  readonly rest: readonly Condition[];
};

export function formConditions(conditions: readonly Condition[]): FormConditions {
  const left = [...conditions];
  const take = <K extends Kind>(kind: K, operator?: string) => {
    const at = left.findIndex((c) => c.kind === kind && (operator === undefined || operatorOf(c) === operator));
    const [found] = at < 0 ? [] : left.splice(at, 1);
    return found as Extract<Condition, { kind: K }> | undefined;
  };
  const fields = {
    country: take('country'),
    platform: take('platform'),
    minVersion: take('app_version', 'at_least'),
    belowVersion: take('app_version', 'below'),
    attribute: take('attribute'),
    seenFrom: take('first_seen', 'from'),
    seenBefore: take('first_seen', 'before'),
    subscriber: take('subscriber'),
  };
  const present = Object.fromEntries(Object.entries(fields).filter(([, c]) => c !== undefined));
  return { ...present, rest: left };
}

/** `rest`: the conditions without a field. */
export function conditionsOf(data: FormData, rest: readonly Condition[]): Body {
  const value = (name: string) => text(data, name);
  const list = (name: string) => value(name).split(',').map((one) => one.trim()).filter((one) => one !== ''); // prettier-ignore
  const membership = (name: string) => (value(name) === 'not_in' ? ('not_in' as const) : ('in' as const));
  const countries = list('countries').map((one) => one.toUpperCase());
  const platforms = list('platforms');
  const all = [
    countries.length > 0 && { kind: 'country', operator: membership('countryOperator'), values: countries },
    platforms.length > 0 && { kind: 'platform', operator: membership('platformOperator'), values: platforms },
    value('minVersion') !== '' && { kind: 'app_version', operator: 'at_least', value: value('minVersion') },
    value('belowVersion') !== '' && { kind: 'app_version', operator: 'below', value: value('belowVersion') },
    value('attribute') !== '' && {
      kind: 'attribute',
      name: value('attribute'),
      operator: membership('attributeOperator'),
      values: list('attributeValues'),
    },
    value('seenFrom') !== '' && { kind: 'first_seen', operator: 'from', at: `${value('seenFrom')}T00:00:00Z` },
    value('seenBefore') !== '' && { kind: 'first_seen', operator: 'before', at: `${value('seenBefore')}T00:00:00Z` },
    value('subscriber') !== '' && { kind: 'subscriber', value: value('subscriber') === 'yes' },
    ...rest,
  ];
  return all.filter((c) => c !== false) as Body;
}

function operatorOf(c: Condition): string | undefined {
  return 'operator' in c ? c.operator : undefined;
}

/** Returns the value of a date field. */
export function dayOf(at: string): string {
  return at.slice(0, 10);
}
