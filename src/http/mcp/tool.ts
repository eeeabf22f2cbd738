// Definition of a tool for assistants: its input, its output in terms of the routes' schemas, and the endpoints that it calls.
import type { Client, paths } from '#sdk/client.js';
import type { z } from 'zod';
import { scopesMay, type KeyScope } from '../../domain/project/roles.js';
import { routes } from '../routes.js';
import { writingAmountTexts } from './amounts.js';
/** Endpoint in the form of the OpenAPI document, such as `GET /v1/projects/{id}/customers`. */
export type Operation = `${'GET' | 'POST' | 'DELETE'} ${Extract<keyof paths, string>}`;

/** Services of a tool for one call. */
export type ToolContext = {
  /** Typed client with the caller's key: authorization, redaction and limits are those of the routes that it calls. */
  readonly client: Client;
  readonly projectId: string;
  /** UTC ms. */
  readonly now: () => number;
  /** True if the key may see personal fields and the server shows them. */
  readonly showsPersonal: boolean;
  /** Confirmations of writes. */
  readonly confirmations: Confirmations;
};

/**
 * Tokens that bind a confirmation to a prepared change: `issue` returns the token of a text, valid for five minutes, `isValid` whether the
 * token belongs to this text and is still valid.
 */
export type Confirmations = {
  issue(text: string): string;
  isValid(token: string, text: string): boolean;
};

/** `page`: path below the project's dashboard, such as `/charts/mrr`. `asOf`: instant of the answer, with any offset; default now. */
type Answer = { readonly data: object; readonly page: string; readonly asOf?: string | undefined };

/** Hints for clients, in the terms of the protocol. */
type ToolKind = 'read' | 'write' | 'destructive';

export type Tool = {
  /** Verb and noun in snake case. */
  readonly name: string;
  readonly title: string;
  /** Fixed text: nothing that a customer, a store or a webhook sent is ever part of it. */
  readonly description: string;
  readonly kind: ToolKind;
  /** Every endpoint that the tool calls. A caller who may not call one of them does not see the tool. */
  readonly uses: readonly Operation[];
  readonly input: z.ZodObject;
  /** Fields of the answer. Fields that it does not list are dropped. */
  readonly output: z.ZodObject;
  /** Reads what the routes returned into the fields of the answer, with amounts as decimal texts. */
  readonly writer: z.ZodType<Record<string, unknown>>;
  /** Advice for an answer that is too large. */
  readonly tooLarge: string;
  readonly run: (input: never, context: ToolContext) => Promise<Answer>;
};

type ToolDefinition<I extends z.ZodObject> = Omit<Tool, 'input' | 'run' | 'kind' | 'tooLarge' | 'writer'> & {
  readonly kind?: ToolKind;
  readonly tooLarge?: string;
  readonly input: I;
  readonly run: (input: z.output<I>, context: ToolContext) => Promise<Answer>;
};

/** Defines a tool; default kind: `read`. */
export function defineTool<I extends z.ZodObject>({ run, ...tool }: ToolDefinition<I>): Tool {
  const writer = writingAmountTexts(tool.output).strip();
  return { kind: 'read', tooLarge: 'Ask for less, with a smaller limit.', ...tool, writer, run };
}

/** Refusal of a tool call, with a message for the assistant. */
export class ToolError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ToolError';
  }
}

type ApiResponse<T> = { readonly data?: T; readonly error?: { readonly message: string } };

/** Returns the body of a success. Throws {@link ToolError} with the service's own message. */
export function bodyOf<T>({ data, error }: ApiResponse<T>): T {
  if (data !== undefined) return data;
  throw new ToolError(error?.message ?? 'The service sent no readable response. Try again.');
}

/** Removes undefined fields, which an optional query parameter does not accept. */
export function given<T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}

const permissions = new Map(
  routes.map(({ method, path, permission }) => [
    `${method.toUpperCase()} ${path.replace(/:(\w+)/g, '{$1}')}`,
    permission,
  ]),
);

/** Returns whether a key with these scopes may call every endpoint of the tool: the routes' own permissions decide. */
export function isAllowed({ uses }: Tool, scopes: readonly KeyScope[]): boolean {
  return uses.every((operation) => {
    const permission = permissions.get(operation);
    if (!permission) throw new Error(`a tool uses an unknown endpoint: ${operation}`);
    return scopesMay(scopes, permission);
  });
}

type List<T> = { readonly items: readonly T[]; readonly nextPage: string | null };
const PAGE_SIZE = 100;

/** Reads a list, page by page, until it ends or has `max` items. Throws {@link ToolError}. */
export async function readList<T>(
  read: (query: { limit: number; startingAfter?: string }) => Promise<ApiResponse<List<T>>>,
  max = Infinity,
): Promise<readonly T[]> {
  const found: T[] = [];
  let next: string | null | undefined;
  while (next !== null && found.length < max) {
    const page = bodyOf(await read(given({ limit: PAGE_SIZE, startingAfter: next })));
    found.push(...page.items);
    next = cursorOf(page);
  }
  return found.slice(0, max);
}

/** Returns the ID after which the next page begins; null on the last page. */
export function cursorOf({ nextPage }: { readonly nextPage: string | null }): string | null {
  return nextPage === null ? null : new URL(nextPage, 'http://service').searchParams.get('startingAfter');
}
