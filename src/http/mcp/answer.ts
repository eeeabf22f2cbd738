// Form of every answer: fields of the tool's schema, texts cut, limited in size, with the instant and a link to the dashboard.
import { z } from 'zod';
import { time } from '../bodies/response-schemas.js';
import { isoFromMs } from '../../domain/time.js';
import { withAmountTexts } from './amounts.js';
import { ToolError, type Tool, type ToolContext } from './tool.js';
import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';

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
    readModelPosition: z
      .string()
      .nullable()
      .meta({ description: 'Position of the log up to which the data is complete; null if nothing was read.' }),
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
  const structuredContent = cutTexts(fields) as Record<string, unknown>;
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
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [escapeUnseen(name), cutTexts(field)]));
}

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
