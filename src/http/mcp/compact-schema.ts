// Output schemas as clients get them: without what only this service reads, and without patterns that repeat a format.
import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import type { z } from 'zod';

type JsonSchemaOptions = Parameters<StandardSchemaWithJSON['~standard']['jsonSchema']['output']>[0];

/** Validates as the schema does. */
export function compactSchema(schema: z.ZodObject): StandardSchemaWithJSON {
  const standard = (schema as unknown as StandardSchemaWithJSON)['~standard'];
  const { input, output } = standard.jsonSchema;
  return {
    '~standard': {
      ...standard,
      jsonSchema: {
        input: (o: JsonSchemaOptions) => compact(input(o)) as Record<string, unknown>,
        output: (o: JsonSchemaOptions) => compact(output(o)) as Record<string, unknown>,
      },
    },
  };
}

function compact(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(compact);
  if (typeof value !== 'object' || value === null) return value;
  const hasFormat = 'format' in value && typeof value.format === 'string';
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !name.startsWith('x-') && !(name === 'pattern' && hasFormat))
      .map(([name, one]) => [name, compact(one)]),
  );
}
