// JSON Schema of the schemas in the route table. Those with an `id` become shared components.
import { z } from 'zod';
import { FIELD_GROUPS, type FieldGroup } from '../../src/domain/values/field-groups.js';

/** Internal marks of {@link Worded} texts and event data, which readers of the document do not need. */
const INTERNAL_MARKS = ['x-worded', 'x-event-data'];

export type JsonSchema = { readonly [key: string]: unknown };

/** `input` is for requests, `output` for responses: defaults and transformations differ. */
export type Direction = 'input' | 'output';

/** Converts a schema, and adds the components that it uses to `components`. */
export function schemaOf(schema: z.ZodType, io: Direction, components: Map<string, JsonSchema>): JsonSchema {
  // The schema is wrapped in an array, because the outermost schema is never a reference.
  const { items, $defs = {} } = z.toJSONSchema(z.array(schema), {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => tidy(jsonSchema, io),
  });
  for (const [name, definition] of Object.entries($defs)) {
    const { id: _name, ...rest } = relocateReferences(definition) as JsonSchema;
    components.set(name, rest);
  }
  return relocateReferences(items) as JsonSchema;
}

/**
 * Removes details that do not help readers. Response schemas allow additional fields, because responses may gain fields; request schemas do
 * not.
 */
function tidy(schema: z.core.JSONSchema.BaseSchema, io: Direction): void {
  if (schema.format !== undefined) delete schema.pattern;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (io === 'output' && schema.additionalProperties === false) delete schema.additionalProperties;
  for (const name of INTERNAL_MARKS) delete schema[name];
  const groups = schema[FIELD_GROUPS] as readonly FieldGroup[] | undefined;
  if (groups) schema.description = [schema.description, omissionNotice(groups)].filter(Boolean).join(' ');
}

const names: Readonly<Record<FieldGroup, string>> = { money: 'money', personal: 'personal fields', secret: 'secrets' };

function omissionNotice(groups: readonly FieldGroup[]): string {
  return `Omitted for callers who may not see ${groups.map((group) => names[group]).join(' and ')}.`;
}

/** Converts references to the form of an OpenAPI document. */
function relocateReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(relocateReferences);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === '$ref' && typeof inner === 'string'
        ? inner.replace('#/$defs/', '#/components/schemas/')
        : relocateReferences(inner),
    ]),
  );
}
