// Redaction of responses. The response schema marks restricted fields; the plan for a schema and a sight is compiled once. A caller with
// full sight gets the body unchanged.
import { z } from 'zod';
import { FULL_SIGHT, groupsOf, seesAll, type Sight } from '../../domain/values/field-groups.js';
import { vocabulary } from '../../domain/vocabulary.js';
import { isEventData, isWorded, Worded } from './responses.js';

/** Returns a copy of a value without its restricted parts. */
export type LeaveOut = (value: unknown) => unknown;

const GONE = Symbol('left out');
/** Redacts one value. `parent` is the object that has the value as a field. */
type Step = (value: unknown, parent: Fields) => unknown;
type Fields = Readonly<Record<string, unknown>>;

/**
 * Compiles the redaction plans of a response schema, each on first use. `roles.ts` defines the few sights, and each is always the same
 * object.
 */
export function leavingOut(schema: z.ZodType): (sight: Sight) => LeaveOut {
  const plans = new Map<Sight, LeaveOut>();
  return (sight) => {
    if (sight === FULL_SIGHT) return asItIs;
    const compiled = plans.get(sight);
    if (compiled) return compiled;
    const step = stepOf(schema, sight);
    const plan: LeaveOut = step ? (value) => step(value, {}) : asItIs;
    plans.set(sight, plan);
    return plan;
  };
}

const asItIs: LeaveOut = (value) => value;

/** Returns null if nothing of the schema is redacted. */
function stepOf(schema: z.ZodType, sight: Sight): Step | null {
  if (!seesAll(sight, groupsOf(schema))) return () => GONE;
  if (isWorded(schema))
    return (value) => (value instanceof Worded ? value.seenBy(sight) : value === null ? null : GONE);
  if (isEventData(schema)) return (value, { type }) => ofEvent(value, eventSteps(sight)(String(type)));
  if (schema instanceof z.ZodObject) return objectStep(schema, sight);
  if (schema instanceof z.ZodArray) return eachStep(stepOf(schema.element as z.ZodType, sight));
  if (schema instanceof z.ZodRecord) return valuesStep(stepOf(schema.valueType as z.ZodType, sight));
  if (schema instanceof z.ZodUnion)
    return allSteps((schema.options as readonly z.ZodType[]).map((o) => stepOf(o, sight)));
  const inner = innerOf(schema);
  return inner && stepOf(inner, sight);
}

function innerOf(schema: z.ZodType): z.ZodType | null {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return schema.unwrap() as z.ZodType;
  if (schema instanceof z.ZodReadonly) return schema.unwrap() as z.ZodType;
  return schema instanceof z.ZodPipe ? (schema.out as z.ZodType) : null;
}

function objectStep(schema: z.ZodObject, sight: Sight): Step | null {
  const found = Object.entries(schema.shape).flatMap(([name, field]) => {
    const step = stepOf(field as z.ZodType, sight);
    return step ? [[name, step] as const] : [];
  });
  if (found.length === 0) return null;
  const steps = new Map(found);
  return (value) => {
    if (!isFields(value)) return value;
    // A copy, since deleting a property would make the object permanently slow to read.
    const copy: Record<string, unknown> = {};
    for (const name of Object.keys(value)) {
      const step = steps.get(name);
      const redacted = step ? step(value[name], value) : value[name];
      if (redacted !== GONE) copy[name] = redacted;
    }
    return copy;
  };
}

function eachStep(step: Step | null): Step | null {
  return (
    step &&
    ((value) =>
      Array.isArray(value) ? value.map((one: unknown) => step(one, {})).filter((one) => one !== GONE) : value)
  );
}

function valuesStep(step: Step | null): Step | null {
  return (
    step &&
    ((value) => {
      if (!isFields(value)) return value;
      const redacted = Object.entries(value).map(([name, one]) => [name, step(one, {})] as const);
      return Object.fromEntries(redacted.filter(([, one]) => one !== GONE));
    })
  );
}

/** Combines the steps of a union: a field that is redacted in one form is redacted in every form that has a field of that name. */
function allSteps(steps: readonly (Step | null)[]): Step | null {
  const some = steps.filter((step) => step !== null);
  return some.length === 0
    ? null
    : (value, parent) => some.reduce((left, step) => (left === GONE ? GONE : step(left, parent)), value);
}

/** Returns whether a value is a plain object. Streams and tables are not: they redact their lines themselves. */
function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** Redacts the data of an event. Data of which nothing remains, such as changed attributes, is omitted as a whole. */
function ofEvent(data: unknown, step: Step | null): unknown {
  if (step === null) return data;
  const left = step(data, {});
  return isFields(left) && Object.keys(left).length === 0 ? GONE : left;
}

const ofEvents = new Map<Sight, Map<string, Step | null>>();

/** Returns the steps by event type. An event of an unknown type is shown without data. */
function eventSteps(sight: Sight): (type: string) => Step | null {
  const known = ofEvents.get(sight) ?? new Map(vocabulary.map(({ name, schema }) => [name, stepOf(schema, sight)]));
  ofEvents.set(sight, known);
  return (type) => (known.has(type) ? (known.get(type) ?? null) : () => ({}));
}
