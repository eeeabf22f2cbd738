// Redaction of responses. The response schema marks restricted fields; the plan for a schema and a visibility is compiled once. A caller with
// full visibility gets the body unchanged.
import { z } from 'zod';
import { FULL_VISIBILITY, groupsOf, showsAll, type FieldVisibility } from '../../domain/values/field-groups.js';
import { vocabulary } from '../../domain/vocabulary.js';
import { isEventData, isRedactableText, RedactableText, schemaPart } from './response-schemas.js';

/** Returns a copy of a value without its restricted parts. */
export type Redact = (value: unknown) => unknown;

const REDACTED = Symbol('left out');
/** Redacts one value. `parent` is the object that has the value as a field. */
type RedactionStep = (value: unknown, parent: Fields) => unknown;
type Fields = Readonly<Record<string, unknown>>;

/**
 * Compiles the redaction plans of a response schema, each on first use. `roles.ts` defines the few visibilities, and each is always the same
 * object.
 */
export function createRedaction(schema: z.ZodType): (visibility: FieldVisibility) => Redact {
  const plans = new Map<FieldVisibility, Redact>();
  return (visibility) => {
    if (visibility === FULL_VISIBILITY) return keepUnchanged;
    const compiled = plans.get(visibility);
    if (compiled) return compiled;
    const step = stepOf(schema, visibility);
    const plan: Redact = step ? (value) => step(value, {}) : keepUnchanged;
    plans.set(visibility, plan);
    return plan;
  };
}

const keepUnchanged: Redact = (value) => value;

/** Returns null if nothing of the schema is redacted. */
function stepOf(schema: z.ZodType, visibility: FieldVisibility): RedactionStep | null {
  if (!showsAll(visibility, groupsOf(schema))) return () => REDACTED;
  if (isRedactableText(schema))
    return (value) => (value instanceof RedactableText ? value.textFor(visibility) : value === null ? null : REDACTED);
  if (isEventData(schema)) return (value, { type }) => redactEvent(value, eventSteps(visibility)(String(type)));
  if (schema instanceof z.ZodObject) return objectStep(schema, visibility);
  if (schema instanceof z.ZodArray) return eachStep(stepOf(schemaPart(schema.element), visibility));
  if (schema instanceof z.ZodRecord) return valuesStep(stepOf(schemaPart(schema.valueType), visibility));
  if (schema instanceof z.ZodUnion) return allSteps(schema.options.map((o) => stepOf(schemaPart(o), visibility)));
  const inner = innerOf(schema);
  return inner && stepOf(inner, visibility);
}

function innerOf(schema: z.ZodType): z.ZodType | null {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return schemaPart(schema.unwrap());
  if (schema instanceof z.ZodReadonly) return schemaPart(schema.unwrap());
  return schema instanceof z.ZodPipe ? schemaPart(schema.out) : null;
}

function objectStep(schema: z.ZodObject, visibility: FieldVisibility): RedactionStep | null {
  const entries = Object.entries(schema.shape).flatMap(([name, field]) => {
    const step = stepOf(schemaPart(field), visibility);
    return step ? [[name, step] as const] : [];
  });
  if (entries.length === 0) return null;
  const steps = new Map(entries);
  return (value) => {
    if (!isFields(value)) return value;
    // A copy, since deleting a property would make the object permanently slow to read.
    const copy: Record<string, unknown> = {};
    for (const name of Object.keys(value)) {
      const step = steps.get(name);
      const redacted = step ? step(value[name], value) : value[name];
      if (redacted !== REDACTED) copy[name] = redacted;
    }
    return copy;
  };
}

function eachStep(step: RedactionStep | null): RedactionStep | null {
  return (
    step &&
    ((value) =>
      Array.isArray(value) ? value.map((one: unknown) => step(one, {})).filter((one) => one !== REDACTED) : value)
  );
}

function valuesStep(step: RedactionStep | null): RedactionStep | null {
  return (
    step &&
    ((value) => {
      if (!isFields(value)) return value;
      const redacted = Object.entries(value).map(([name, one]) => [name, step(one, {})] as const);
      return Object.fromEntries(redacted.filter(([, one]) => one !== REDACTED));
    })
  );
}

/** Combines the steps of a union: a field that is redacted in one form is redacted in every form that has a field of that name. */
function allSteps(steps: readonly (RedactionStep | null)[]): RedactionStep | null {
  const applicable = steps.filter((step) => step !== null);
  return applicable.length === 0
    ? null
    : (value, parent) =>
        applicable.reduce((result, step) => (result === REDACTED ? REDACTED : step(result, parent)), value);
}

/** Returns whether a value is a plain object. Streams and tables are not: they redact their lines themselves. */
function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** Redacts the data of an event. Data of which nothing remains, such as changed attributes, is omitted as a whole. */
function redactEvent(data: unknown, step: RedactionStep | null): unknown {
  if (step === null) return data;
  const result = step(data, {});
  return isFields(result) && Object.keys(result).length === 0 ? REDACTED : result;
}

const eventPlans = new Map<FieldVisibility, Map<string, RedactionStep | null>>();

/** Returns the steps by event type. An event of an unknown type is shown without data. */
function eventSteps(visibility: FieldVisibility): (type: string) => RedactionStep | null {
  const steps =
    eventPlans.get(visibility) ?? new Map(vocabulary.map(({ name, schema }) => [name, stepOf(schema, visibility)]));
  eventPlans.set(visibility, steps);
  return (type) => (steps.has(type) ? (steps.get(type) ?? null) : () => ({}));
}
