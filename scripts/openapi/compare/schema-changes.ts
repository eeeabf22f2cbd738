// Compares two JSON schemas of the interface in one direction: a request must go on being accepted, a response must go on having what it
// had. New values of an enum in a response are no breaking change: clients must expect kinds that they do not know.
export type Direction = 'request' | 'response';

type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly pattern?: string;
  readonly [keyword: string]: unknown;
};
export type Schemas = Readonly<Record<string, Schema>>;
export type Sides = { readonly before: Schemas; readonly after: Schemas; readonly direction: Direction };

const MAXIMA = ['maxLength', 'maxItems', 'maximum', 'exclusiveMaximum'] as const;
const MINIMA = ['minLength', 'minItems', 'minimum', 'exclusiveMinimum'] as const;
const REF = '#/components/schemas/';

/** Compares schemas of components and of operations. A component that refers to itself is compared once. */
export function createSchemaComparison(sides: Sides) {
  const { direction } = sides;
  const isRequest = direction === 'request';
  const inProgress = new Set<string>();

  /** Returns breaking changes, each as `place: what changed`. A schema that is missing on one side accepts or returns anything. */
  function changes(before: Schema | undefined, after: Schema | undefined, place: string): readonly string[] {
    if (before === undefined || after === undefined) return [];
    const pair = `${before.$ref}|${after.$ref}`;
    const isNamed = before.$ref !== undefined && after.$ref !== undefined;
    if (isNamed && inProgress.has(pair)) return [];
    if (isNamed) inProgress.add(pair);
    try {
      return ofAlternatives(alternativesOf(before, sides.before), alternativesOf(after, sides.after), place);
    } finally {
      inProgress.delete(pair);
    }
  }

  function ofAlternatives(before: readonly Schema[], after: readonly Schema[], place: string): readonly string[] {
    const [only, other] = [before[0], after[0]];
    if (before.length === 1 && after.length === 1 && only && other) return ofOne(only, other, place);
    // Every form that was accepted needs one that accepts it; every form that is returned needs one that was.
    const [needed, offered] = isRequest ? [before, after] : [after, before];
    const isCovered = (form: Schema) =>
      offered.some((o) => (isRequest ? ofOne(form, o, place) : ofOne(o, form, place)).length === 0);
    const missing = needed.filter((form) => !isCovered(form));
    const text = isRequest ? 'no longer accepts' : 'may now be';
    return missing.map((form) => `${place}: ${text} ${describe(form)}`);
  }

  function ofOne(before: Schema, after: Schema, place: string): readonly string[] {
    const type = ofTypes(before, after, place);
    if (type.length > 0) return type;
    const items = changes(before.items, after.items, `${place}[]`);
    return [...(isRequest ? ofLimits(before, after, place) : []), ...items, ...ofProperties(before, after, place)];
  }

  function ofTypes(before: Schema, after: Schema, place: string): readonly string[] {
    const [narrow, wide] = isRequest ? [typesOf(before), typesOf(after)] : [typesOf(after), typesOf(before)];
    if (wide.length === 0) return [];
    const missing = narrow.length === 0 ? ['any type'] : narrow.filter((type) => !includesType(wide, type));
    const text = isRequest ? 'no longer accepts' : 'may now be';
    return missing.map((type) => `${place}: ${text} ${type}`);
  }

  function ofLimits(before: Schema, after: Schema, place: string): readonly string[] {
    const values = valuesOf(before);
    const allowed = valuesOf(after);
    const removed = allowed === null ? [] : (values ?? ['other values']).filter((value) => !allowed.includes(value));
    const found = removed.map((value) => `no longer accepts ${JSON.stringify(value)}`);
    const numbers = (keyword: string) => [before[keyword], after[keyword]] as readonly (number | undefined)[];
    for (const keyword of MAXIMA) {
      const [was = Infinity, is = Infinity] = numbers(keyword);
      if (is < was) found.push(`${keyword} is now ${is}`);
    }
    for (const keyword of MINIMA) {
      const [was = -Infinity, is = -Infinity] = numbers(keyword);
      if (is > was) found.push(`${keyword} is now ${is}`);
    }
    if (after.pattern !== undefined && after.pattern !== before.pattern) found.push('has another pattern');
    return found.map((text) => `${place}: ${text}`);
  }

  function ofProperties(before: Schema, after: Schema, place: string): readonly string[] {
    const [was, is] = [before.properties ?? {}, after.properties ?? {}];
    const shared = Object.keys(was).filter((name) => name in is);
    const removed = Object.keys(was).filter((name) => !(name in is));
    const found = shared.flatMap((name) => changes(was[name], is[name], `${place}.${name}`));
    const [required, nowRequired] = [before.required ?? [], after.required ?? []];
    if (isRequest) {
      if (after.additionalProperties === false)
        found.push(...removed.map((n) => `${place}.${n}: is no longer accepted`));
      found.push(...nowRequired.filter((n) => !required.includes(n)).map((n) => `${place}.${n}: is now required`));
    } else {
      found.push(...removed.map((n) => `${place}.${n}: is no longer returned`));
      const optional = required.filter((n) => n in is && !nowRequired.includes(n));
      found.push(...optional.map((n) => `${place}.${n}: may now be missing`));
    }
    const [others, nowOthers] = [before.additionalProperties, after.additionalProperties];
    if (typeof others === 'object' && typeof nowOthers === 'object')
      found.push(...changes(others, nowOthers, `${place}.*`));
    return found;
  }

  return changes;
}

function alternativesOf(schema: Schema, schemas: Schemas): readonly Schema[] {
  if (schema.$ref?.startsWith(REF)) {
    const target = schemas[schema.$ref.slice(REF.length)];
    if (!target) throw new Error(`${schema.$ref} does not exist`);
    return alternativesOf(target, schemas);
  }
  const nested = schema.anyOf ?? schema.oneOf;
  return nested ? nested.flatMap((one) => alternativesOf(one, schemas)) : [schema];
}

function typesOf({ type, const: only }: Schema): readonly string[] {
  if (type !== undefined) return typeof type === 'string' ? [type] : type;
  return only === undefined ? [] : [only === null ? 'null' : typeof only];
}

const includesType = (types: readonly string[], type: string) =>
  types.includes(type) || (type === 'integer' && types.includes('number'));

const valuesOf = (schema: Schema): readonly unknown[] | null =>
  schema.enum ?? (schema.const === undefined ? null : [schema.const]);

function describe(schema: Schema): string {
  const values = valuesOf(schema);
  if (values) return values.map((value) => JSON.stringify(value)).join(', ');
  const names = Object.keys(schema.properties ?? {});
  return (
    [...typesOf(schema), ...(names.length > 0 ? [`with ${names.slice(0, 3).join(', ')}`] : [])].join(' ') ||
    'another form'
  );
}
