// Routes that attach products to an entitlement or a package, and that detach them. Product IDs are in the body or, since proxies drop the
// bodies of DELETE, in its query.
import { z } from 'zod';
import { HttpError } from '../bodies/errors.js';
import { id } from '../bodies/request-schemas.js';
import { defineRoute, type Input, type Route, type RouteResponse } from '../dispatch/route.js';
import type { Services } from '../dispatch/services.js';

const productIds = z.array(id).min(1).max(100);

const productsBody = z
  .union([z.strictObject({ productIds }), z.strictObject({ productId: id })], 'send productIds (or productId)')
  .transform((b) => ('productIds' in b ? b.productIds : [b.productId]));

const productsQuery = z.strictObject({ productIds: z.string().max(8000).optional() });

type Action = 'attach' | 'detach';
type AttachmentDefinition<P extends z.ZodType> = Pick<Route, 'path' | 'response'> & {
  readonly params: P;
  readonly summaries: Readonly<Record<Action, string>>;
  readonly change: (
    action: Action,
    productIds: readonly string[],
    input: Input<z.output<P>, unknown, unknown>,
    services: Services,
  ) => Promise<RouteResponse>;
};

export function defineAttachmentRoutes<P extends z.ZodType>({
  summaries,
  change,
  ...route
}: AttachmentDefinition<P>): readonly Route[] {
  const define = (action: Action) =>
    defineRoute({
      ...route,
      method: action === 'attach' ? 'post' : 'delete',
      permission: 'configure',
      summary: summaries[action],
      example: { productIds: ['prod_01k9zq3v8n4t5w6x7y8z9a0b1c'] },
      query: productsQuery,
      body: productsBody.optional(),
      handle: (input, services) => {
        const { body, query } = input;
        const requestedIds = body ?? (action === 'detach' ? query.productIds?.split(',') : undefined);
        if (!requestedIds) throw new HttpError(400, 'send productIds (or productId)');
        return change(action, productIds.parse(requestedIds), input as Input<z.output<P>, unknown, unknown>, services);
      },
    });
  return [define('attach'), define('detach')];
}
