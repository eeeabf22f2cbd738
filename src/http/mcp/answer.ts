// Form of every answer: fields of the tool's schema, texts cut, limited in size, with the instant and a link to the dashboard.
import { z } from 'zod';
import { time } from '../bodies/response-schemas.js';
import { isoFromMs } from '../../domain/time.js';
import { withAmountTexts } from './amounts.js';
import { ToolError, type Tool, type ToolContext } from './tool.js';
import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { fieldsOf } from '../../domain/values/json.js';

/** Texts from outside are longer than this only to carry something else. */
const MAX_TEXT = 500;
/** Size of a whole answer, bytes. */
const MAX_ANSWER_BYTES = 32 * 1024;

export type ToolAnswer = {
  readonly content: { readonly type: 'text'; readonly text: string }[];
  readonly structuredContent: Record<string, unknown>;
};

/** Returns the schema of a tool's answers. */
export function answerSchemaOf({ output }: Pick<Tool, 'output'>): z.ZodObject {
  return withAmountTexts(output).extend({
    asOf: time.meta({ description: 'The answer is what was known at this instant, UTC.' }),
    readModelPosition: z.string().nullable().meta({ description: 'Log position up to which the data is complete.' }),
    link: z.string().meta({ description: 'Dashboard page with the same figures.' }),
  });
}

/**
 * Runs a tool. A list that is too large is read again with half the limit; its cursor then continues after the shorter page. Throws
 * {@link ToolError}.
 */
export async function answer(
  tool: Tool,
  input: Readonly<Record<string, unknown>>,
  context: ToolContext,
  { dashboardUrl, readPosition }: { readonly dashboardUrl: string; readonly readPosition: () => string | null },
): Promise<ToolAnswer> {
  for (let currentInput = input; ;) {
    const { data, page, asOf } = await tool.run(currentInput as never, context);
    const fields = tool.writer.parse(data);
    const link = `${dashboardUrl}/projects/${context.projectId}${page}`;
    const knownAt = isoFromMs(asOf === undefined ? context.now() : Date.parse(asOf));
    const found = toAnswer({ ...fields, asOf: knownAt, readModelPosition: readPosition(), link });
    if (Buffer.byteLength(JSON.stringify(found)) <= MAX_ANSWER_BYTES) return found;
    const { limit } = currentInput;
    if (typeof limit !== 'number' || limit <= 1) {
      throw new ToolError(`The answer has more than ${MAX_ANSWER_BYTES / 1024} KiB. ${tool.tooLarge}`);
    }
    currentInput = { ...currentInput, limit: Math.floor(limit / 2) };
  }
}

/** The text repeats the fields, for clients that do not read structured content. */
function toAnswer(fields: object): ToolAnswer {
  const structuredContent = cutFields(fields);
  return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
}

/**
 * Characters that are not seen, or that change the order of what is seen: a text could say something else to an assistant than to a person.
 * Line breaks, tabs and the selector of emoji are harmless.
 */
const UNSEEN = /(?![\n\t\u{fe0f}])[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\p{Zl}\p{Zp}]/gu;

/** Writes unseen characters as `\u{…}`. */
export function escapeUnseen(text: string): string {
  return text.replace(UNSEEN, (character) => `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`);
}

function cutTexts(value: unknown): unknown {
  if (typeof value === 'string') return escapeUnseen(value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT)}…` : value);
  if (Array.isArray(value)) return value.map(cutTexts);
  return typeof value === 'object' && value !== null ? cutFields(value) : value;
}

function cutFields(fields: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [escapeUnseen(name), cutTexts(field)]));
}

type FieldsSchema = StandardSchemaWithJSON<Record<string, unknown>, Record<string, unknown>>;
type JsonSchemaOptions = Parameters<StandardSchemaWithJSON['~standard']['jsonSchema']['output']>[0];

/** Validates as the schema does. What is listed of an answer is its outline: an assistant reads the list of tools with each conversation, and the answers themselves. */
export function compactSchema(schema: z.ZodObject): FieldsSchema {
  const standard = schema['~standard'];
  const { input, output } = standard.jsonSchema;
  return {
    '~standard': {
      ...standard,
      jsonSchema: {
        input: (o: JsonSchemaOptions) => compact(input(o)) as Record<string, unknown>,
        output: (o: JsonSchemaOptions) => outline(compact(output(o)), 0) as Record<string, unknown>,
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
      .filter(([name, one]) => !name.startsWith('x-') && !(name === 'pattern' && hasFormat) && !isLimitOfNumbers(one))
      .map(([name, one]) => [name, compact(one)]),
  );
}

/** Limits that every whole number of JavaScript has. */
function isLimitOfNumbers(value: unknown): boolean {
  return typeof value === 'number' && Math.abs(value) === Number.MAX_SAFE_INTEGER;
}

const OUTLINED_LEVELS = 1;
const MAX_VALUES = 6;
/** Parts that hold for the fields that are listed only, or that no reader of an answer needs. */
const UNLISTED: ReadonlySet<string> = new Set([
  '$schema',
  'additionalProperties',
  'minimum',
  'maximum',
  'pattern',
  'propertyNames',
  'format',
  'required',
]);

/** Returns the fields of the first level of a schema; what lies deeper is any object. */
function outline(value: unknown, level: number): unknown {
  if (Array.isArray(value)) return value.map((one) => outline(one, level));
  if (typeof value !== 'object' || value === null) return value;
  if ('properties' in value && level >= OUTLINED_LEVELS) return { type: 'object' };
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, one]) => {
      if (UNLISTED.has(name)) return [];
      if (name === 'enum' && Array.isArray(one) && one.length > MAX_VALUES) return [];
      if (name === 'properties' || name === '$defs') return [[name, outlineFields(fieldsOf(one), level + 1)]];
      return [[name, outline(one, level)]];
    }),
  );
}

function outlineFields(fields: object, level: number): object {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, outline(field, level)]));
}
