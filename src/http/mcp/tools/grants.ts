// Tools that change a customer: grants of an entitlement, and attributes.
import { z } from 'zod';
import { grantDuration } from '../../../domain/subscriber/grant-durations.js';
import { attributesSchema } from '../../subscribers/attributes.js';
import { grant } from '../../subscribers/responses.js';
import { changeInput, changeOutput, previewOrApply, readCustomerState } from '../change.js';
import { customer, instant } from '../inputs.js';
import {
  bodyOf,
  defineTool,
  given,
  readList,
  ToolError,
  type Operation,
  type Tool,
  type ToolContext,
} from '../tool.js';
import { customerPage } from './customers.js';

const reads: readonly Operation[] = [
  'GET /v1/projects/{id}/entitlements',
  'GET /v1/projects/{id}/customers/{cid}',
  'GET /v1/projects/{id}/customers/{cid}/timeline',
];
const access = { activeBefore: z.array(z.string()), activeAfter: z.array(z.string()).optional() };
const entitlement = z.string().min(1).max(200).meta({ description: 'ID or lookup key, see get_catalog.' });

const grantAccess = defineTool({
  name: 'grant_access',
  title: 'Grant access',
  description:
    'Grant an entitlement to a customer without a purchase, for a duration or until an instant. The first call returns a preview and changes nothing.',
  kind: 'write',
  uses: [...reads, 'POST /v1/subscribers/{appUserId}/entitlements'],
  input: z.strictObject({
    customer,
    entitlement,
    duration: grantDuration.optional(),
    until: instant.optional().meta({ description: 'Instead of duration.' }),
    ...changeInput,
  }),
  output: z.object({ ...changeOutput, ...access, grant: grant.omit({ object: true }).strip().optional() }),
  run: async (input, context) => {
    const { entitlement: entitlementId, duration, until: expiresAt } = input;
    if ((duration === undefined) === (expiresAt === undefined)) throw new ToolError('Send either duration or until.');
    if (expiresAt !== undefined && Date.parse(expiresAt) <= context.now())
      throw new ToolError('until must be in the future.');
    await expectEntitlement(context, entitlementId);
    const { detail, state } = await readCustomerState(context, input.customer);
    const { appUserId } = detail;
    const data = await previewOrApply(context, {
      tool: 'grant_access',
      input,
      state,
      isStateUnique: true,
      preview: [`Grant ${entitlementId} to ${nameOf(detail)}, ${duration ?? `until ${expiresAt ?? ''}`}.`],
      apply: async (key) => {
        const grant = bodyOf(
          await context.client.POST('/v1/subscribers/{appUserId}/entitlements', {
            params: { path: { appUserId } },
            body: { entitlementId, ...given({ duration, expiresAt }) },
            headers: { 'idempotency-key': key },
          }),
        );
        return { grant: grant.grant, activeAfter: activeOf(grant.subscriber.entitlements) };
      },
    });
    return { data: { activeBefore: detail.activeEntitlements, ...data }, page: customerPage(detail.id) };
  },
});

/** The app user ID is a text from outside, in quotes: it must not look like words of the preview. */
function nameOf({ appUserId, id }: { readonly appUserId: string; readonly id: string }): string {
  return `${JSON.stringify(appUserId)} (${id})`;
}

/** A preview must not promise what cannot be granted. Throws {@link ToolError}. */
async function expectEntitlement({ client, projectId: id }: ToolContext, lookupKey: string): Promise<void> {
  const all = await readList((query) =>
    client.GET('/v1/projects/{id}/entitlements', { params: { path: { id }, query } }),
  );
  if (all.some((one) => one.id === lookupKey || one.lookupKey === lookupKey)) return;
  const keys = all.map((one) => one.lookupKey).join(', ');
  throw new ToolError(`No entitlement ${lookupKey}; this project has ${keys === '' ? 'none' : keys}.`);
}

type Entitlements = Readonly<Record<string, { readonly isActive: boolean }>>;

function activeOf(entitlements: Entitlements): readonly string[] {
  return Object.entries(entitlements).flatMap(([key, { isActive }]) => (isActive ? [key] : []));
}

const revokeAccess = defineTool({
  name: 'revoke_access',
  title: 'Revoke granted access',
  description:
    'End the grants of an entitlement of a customer. Purchases are not affected: access that was paid for continues. The first call returns a preview and changes nothing.',
  kind: 'destructive',
  uses: [...reads, 'DELETE /v1/subscribers/{appUserId}/entitlements/{eid}'],
  input: z.strictObject({ customer, entitlement, ...changeInput }),
  output: z.object({ ...changeOutput, ...access }),
  run: async (input, context) => {
    const { entitlement: eid } = input;
    await expectEntitlement(context, eid);
    const { detail, state } = await readCustomerState(context, input.customer);
    const { appUserId } = detail;
    const open = detail.promotionalGrants.filter(
      (one) => one.endedAt === null && (one.entitlementId === eid || one.lookupKey === eid),
    );
    const ended = open.map((one) => `End the grant ${one.id} of ${one.lookupKey} to ${nameOf(detail)}.`);
    const data = await previewOrApply(context, {
      tool: 'revoke_access',
      input,
      state,
      isStateUnique: true,
      preview: ended.length === 0 ? [`No grant of ${eid} to end.`] : ended,
      apply: async () => {
        const path = { appUserId, eid };
        const result = bodyOf(
          await context.client.DELETE('/v1/subscribers/{appUserId}/entitlements/{eid}', { params: { path } }),
        );
        return { activeAfter: activeOf(result.subscriber.entitlements) };
      },
    });
    return { data: { activeBefore: detail.activeEntitlements, ...data }, page: customerPage(detail.id) };
  },
});

const setAttributes = defineTool({
  name: 'set_attributes',
  title: 'Set attributes',
  description:
    'Set or delete (null) attributes of a customer. The first call returns a preview and changes nothing. Former values are shown only if the key and the server may show personal data.',
  kind: 'write',
  uses: [...reads, 'POST /v1/subscribers/{appUserId}/attributes'],
  input: z.strictObject({
    customer,
    attributes: z.record(z.string().min(1).max(40), z.string().max(500).nullable()),
    ...changeInput,
  }),
  output: z.object({ ...changeOutput, before: z.record(z.string(), z.string().nullable()).optional() }),
  tooLarge: 'Send fewer attributes at a time.',
  run: async (input, context) => {
    const { attributes } = input;
    expectAttributes(attributes);
    const { detail, state } = await readCustomerState(context, input.customer);
    const { appUserId, attributes: former } = detail;
    const names = Object.keys(attributes);
    const data = await previewOrApply(context, {
      tool: 'set_attributes',
      input,
      state,
      isStateUnique: true,
      preview: Object.entries(attributes).map(([name, value]) =>
        value === null || value === ''
          ? `Delete ${name} of ${nameOf(detail)}.`
          : `Set ${name} of ${nameOf(detail)} to ${JSON.stringify(value)}.`,
      ),
      apply: async (key) => {
        bodyOf(
          await context.client.POST('/v1/subscribers/{appUserId}/attributes', {
            params: { path: { appUserId } },
            body: { attributes },
            headers: { 'idempotency-key': key },
          }),
        );
        return {};
      },
    });
    const before = names.map((name) => [name, former?.[name]?.value ?? null]);
    const beforeField = context.showsPersonal && former ? { before: Object.fromEntries(before) as object } : {};
    return { data: { ...data, ...beforeField }, page: customerPage(detail.id) };
  },
});

/** Throws {@link ToolError} for what the endpoint would refuse. */
function expectAttributes(attributes: Readonly<Record<string, string | null>>): void {
  const [issue] = attributesSchema.safeParse(attributes).error?.issues ?? [];
  if (issue) throw new ToolError(`${['attributes', ...issue.path].join('.')} ${issue.message}`);
}

export const grantTools: readonly Tool[] = [grantAccess, revokeAccess, setAttributes];
