// Tools about the stores' money: a month of the books, and the comparisons behind a difference.
import { z } from 'zod';
import { causes } from '../../../domain/books/entries.js';
import { bookEntry, booksMonth } from '../../books/responses.js';
import { limit } from '../inputs.js';
import { bodyOf, defineTool, given, ToolError, type Tool } from '../tool.js';

const month = z.string().max(7).meta({ description: 'Such as 2026-10.' });
const cause = z.string().max(20);

const getBooksMonth = defineTool({
  name: 'get_books_month',
  title: 'Month of the books',
  description:
    'What was recorded, what the stores’ reports state, and the difference by cause, for each app and currency.',
  uses: ['GET /v1/projects/{id}/books/{month}'],
  input: z.strictObject({ month }),
  output: booksMonth.pick({ month: true, state: true, tables: true, paid: true }).strip(),
  run: async ({ month: of }, { client, projectId: id }) => {
    const found = bodyOf(await client.GET('/v1/projects/{id}/books/{month}', { params: { path: { id, month: of } } }));
    return { data: found, page: `/money/${of}` };
  },
});

const listBooksLines = defineTool({
  name: 'list_books_lines',
  title: 'Lines of the books',
  description: 'Charges and refunds of one cause of get_books_month, with their customers.',
  uses: ['GET /v1/projects/{id}/books/{month}/lines'],
  input: z.strictObject({ month, cause, limit }),
  output: z.object({
    lines: z.array(bookEntry.omit({ object: true, id: true, cause: true, rows: true, lookUp: true }).strip()),
    hasMore: z.boolean(),
  }),
  tooLarge: 'Use a smaller limit.',
  run: async (input, { client, projectId: id }) => {
    const { month: of } = input;
    const known = causes.find((one) => one === input.cause);
    if (!known) throw new ToolError(`cause: must be one of ${causes.join(', ')}`);
    const params = { path: { id, month: of }, query: given({ cause: known, limit: input.limit }) };
    const found = bodyOf(await client.GET('/v1/projects/{id}/books/{month}/lines', { params }));
    const data = { lines: found.items, hasMore: found.nextPage !== null };
    return { data, page: `/money/${of}/${input.cause}` };
  },
});

export const booksTools: readonly Tool[] = [getBooksMonth, listBooksLines];
