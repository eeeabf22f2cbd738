// Changes by tools: a preview with a token first, and the change itself only with that token.
import { hash, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { bodyOf, ToolError, type ToolContext, type Confirmations } from './tool.js';

export const changeInput = {
  dryRun: z.boolean().optional().meta({ description: 'True: preview only. Default: true without confirm.' }),
  confirm: z.string().max(300).optional().meta({ description: 'Token of the preview, after the user has agreed.' }),
};

export const changeOutput = {
  applied: z.boolean(),
  preview: z.array(z.string()).meta({ description: 'What the change does, or has done.' }),
  confirm: z
    .string()
    .nullable()
    .meta({ description: 'For the second call with the same arguments, within 5 minutes. Null once applied.' }),
};

/**
 * `state`: identifies what the preview was made from, such as the customer's last event. `isStateUnique`: the change makes a state that never
 * was before. Two previews of one such state are one change: clients that call in parallel would apply it twice.
 */
export type Change = {
  readonly tool: string;
  readonly input: { readonly dryRun?: boolean | undefined; readonly confirm?: string | undefined };
  readonly state: string;
  readonly isStateUnique?: true;
  readonly preview: readonly string[];
  /** Performs the change; requests that carry this key are performed once, however often they are sent. */
  readonly apply: (idempotencyKey: string) => Promise<object>;
};

/** Throws {@link ToolError} for a token that does not fit. */
export async function previewOrApply({ confirmations }: ToolContext, change: Change): Promise<object> {
  const { dryRun, confirm, ...args } = change.input;
  const text = JSON.stringify([change.tool, args, change.state]);
  if (dryRun === true || confirm === undefined) {
    if (dryRun === false) throw new ToolError('Call without dryRun first, and send the confirm token of its preview.');
    return { applied: false, preview: change.preview, confirm: confirmations.issue(text) };
  }
  if (!confirmations.isValid(confirm, text)) {
    throw new ToolError(
      'The confirm token does not fit: it is older than 5 minutes, the arguments differ from the preview, or something has changed since. Call again without confirm for a new preview.',
    );
  }
  const done = await change.apply(hash('sha256', change.isStateUnique ? text : confirm));
  return { applied: true, preview: change.preview, confirm: null, ...done };
}

/** Returns the customer's details and the ID of the last event: what a preview about the customer is made from. */
export async function readCustomerState({ client, projectId: id }: ToolContext, cid: string) {
  const path = { id, cid };
  const detail = bodyOf(await client.GET('/v1/projects/{id}/customers/{cid}', { params: { path } }));
  const { items } = bodyOf(
    await client.GET('/v1/projects/{id}/customers/{cid}/timeline', { params: { path, query: { limit: 1 } } }),
  );
  return { detail, state: `${detail.id} ${items[0]?.id ?? ''}` };
}

const MAX_LISTED = 400;

/** Returns names as a list with their count, and states how many are left out: texts of answers are cut at 500 characters. */
export function listText(names: readonly string[]): string {
  let length = 0;
  const listed = names.filter((name) => (length += name.length + 2) <= MAX_LISTED);
  const left = names.length - listed.length;
  return `${listed.join(', ')}${left === 0 ? '' : ` and ${left} more, ${names.length} in all`}`;
}

const VALID_MS = 5 * 60_000;
const FORM = /^(\d{1,16})\.([\w=-]{10,200})$/;

/** `hash`: keyed, the same in every process that may receive the token. `owner`: the key that may confirm. */
export function createConfirmations(
  hash: (text: string) => string,
  { owner, now }: { readonly owner: string; readonly now: () => number },
): Confirmations {
  const sign = (until: string, text: string) =>
    Buffer.from(hash(JSON.stringify([until, owner, text]))).toString('base64url');
  return {
    issue: (text) => {
      const until = String(now() + VALID_MS);
      return `${until}.${sign(until, text)}`;
    },
    isValid: (token, text) => {
      const [, until = '', signature = ''] = FORM.exec(token) ?? [];
      const expected = Buffer.from(sign(until, text));
      const sent = Buffer.from(signature);
      return Number(until) > now() && sent.length === expected.length && timingSafeEqual(sent, expected);
    },
  };
}
