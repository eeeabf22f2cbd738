// Simulated purchase of the guide: one of a test app, recorded by the same rules as those of its SDK.
import { z } from 'zod';
import { submitTestPurchase } from '../../commands/stores/test/purchases.js';
import { derivedUuid } from '../../domain/ids.js';
import { TEST_STORE } from '../../domain/store-kinds.js';
import { streams } from '../../domain/streams.js';
import { appUserId } from '../../domain/values/user-text.js';
import { customers } from '../../projections/models/customers.js';
import { HttpError } from '../bodies/errors.js';
import { id } from '../bodies/request-schemas.js';
import type { BodyOf } from '../bodies/response-schemas.js';
import { defineRoute, readModelsAt, type Route } from '../dispatch/route.js';

const testPurchase = z
  .strictObject({
    object: z.literal('testPurchase'),
    appUserId: z.string(),
    customerId: z.string(),
    transactionId: z.string(),
    storeProductId: z.string(),
  })
  .meta({ id: 'TestPurchase' });

export const testPurchaseRoutes: readonly Route[] = [
  defineRoute({
    method: 'post',
    path: '/v1/projects/:id/apps/:appId/test-purchase',
    permission: 'configure',
    summary: 'Simulate a purchase of a test app',
    description:
      'Only for apps with the platform `test`. The purchase is of the sandbox and nobody pays; it is on the timeline, in the charts of the sandbox and sent to webhooks, as one of an SDK is.',
    example: { productId: 'prod_01jcy2q4m8v0c6r1t5w9x3z7ab', appUserId: 'ann' },
    params: z.object({ id, appId: id }),
    body: z.strictObject({ productId: id, appUserId: appUserId.default('test-user') }),
    response: testPurchase,
    statuses: [201],
    subscribersIn: ({ appUserId: who }) => [who],
    handle: async ({ params: { appId }, scope: { projectId }, body, by }, { deps, runtime }) => {
      const project = await deps.projects.get(streams.project(projectId));
      const app = project?.apps.find((one) => one.appId === appId);
      if (!app) throw new HttpError(404, 'app not found');
      if (app.store !== TEST_STORE) {
        throw new HttpError(
          409,
          'only purchases of a test app can be simulated; register an app with the platform test',
        );
      }
      const { products } = await deps.catalogs.get(streams.catalog(projectId));
      const product = products.find((one) => one.productId === body.productId && one.appId === appId);
      if (!product) throw new HttpError(400, 'productId: no product with this ID in this app');
      const token = `test_${runtime.now()}_${derivedUuid(runtime.newId('test'))}`;
      const { storeProductId } = product;
      const bought = { appUserId: body.appUserId, token, storeProductId, isRestore: false, offeringId: null };
      const { position, customerId: buyer } = await submitTestPurchase(deps, by, { projectId, app, ...bought });
      const answer: BodyOf<typeof testPurchase> = {
        ...{ object: 'testPurchase', appUserId: body.appUserId, customerId: buyer },
        ...{ transactionId: token, storeProductId },
      };
      return { status: 201, body: answer, customers: [buyer], after: readModelsAt(position, customers) };
    },
  }),
];
