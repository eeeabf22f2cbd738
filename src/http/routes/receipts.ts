// A client presents what its store signed.
import { z } from 'zod';
import { checkBelongsToApp, InvalidSignedData } from '../../adapters/ios-store/port.js';
import { submitIosReceipt } from '../../commands/receipts.js';
import { setAttributes } from '../../commands/subscribers.js';
import type { App } from '../../domain/project/events.js';
import { streams } from '../../domain/streams.js';
import { customers } from '../../projections/customers.js';
import { transactions } from '../../projections/transactions.js';
import { attributeChanges, attributesSchema } from '../attributes.js';
import { HttpError } from '../errors.js';
import { defineRoute, shownIn, type Input, type Route } from '../route.js';
import { id, subscriberParams } from '../schemas.js';
import type { Services } from '../services.js';
import { shownSubscriber } from '../shown-subscriber.js';

const receiptBody = z.strictObject({
  store: z.enum(['ios-store', 'android-store']),
  receipt: z.string().min(1).max(250_000),
  productId: z.string().max(300).optional(),
  isRestore: z.boolean().default(false),
  price: z.number().min(0).optional(),
  currency: z.string().length(3).optional(),
  offeringId: z.string().max(200).optional(),
  attributes: attributesSchema.optional(),
  appId: id.optional(),
});

/** A public key speaks for its app; a secret key or a user must say which when the project has several of the store. */
async function appOf({ deps }: Services, input: Input<unknown, unknown, z.output<typeof receiptBody>>): Promise<App> {
  const { caller, scope, body } = input;
  const project = await deps.projects.get(streams.project(scope.projectId));
  const ofStore = (project?.apps ?? []).filter((a) => a.store === body.store);
  const tied = caller.kind === 'key' ? (caller.appId ?? undefined) : undefined;
  if (tied !== undefined && body.appId !== undefined && body.appId !== tied)
    throw new HttpError(400, 'this public API key speaks for another app; leave appId out');
  const named = tied ?? body.appId;
  const found = named === undefined ? ofStore : ofStore.filter((a) => a.appId === named);
  const [app] = found;
  if (!app)
    throw new HttpError(
      400,
      named === undefined ? `the project has no ${body.store} app` : 'appId is no app of this store in this project',
    );
  if (found.length > 1) throw new HttpError(400, `the project has several ${body.store} apps; send appId`);
  return app;
}

async function verifiedTransaction({ iosSignedData }: Services, receipt: string, app: App) {
  try {
    const transaction = await iosSignedData.verifyTransaction(receipt);
    const storeAppId = app.storeAppId ?? undefined;
    if (checkBelongsToApp(transaction, { bundleId: app.storeIdentifier, storeAppId }) === null) return transaction;
  } catch (err) {
    if (!(err instanceof InvalidSignedData)) throw err;
    throw new HttpError(400, 'Invalid receipt: send the signed transaction (JWS) exactly as the store gave it');
  }
  throw new HttpError(400, 'Invalid receipt: it belongs to another app');
}

export const receiptRoutes: readonly Route[] = [
  defineRoute({
    method: 'post',
    path: '/v1/subscribers/:appUserId/receipts',
    access: 'sdk',
    summary: 'Submit store receipt',
    params: subscriberParams,
    body: receiptBody,
    bodyLimit: 'store',
    handle: async (input, services) => {
      const { params, scope, by, body } = input;
      const app = await appOf(services, input);
      if (app.store === 'android-store')
        throw new HttpError(400, 'receipts of the android-store are not supported yet');
      const transaction = await verifiedTransaction(services, body.receipt, app);
      const { appUserId } = params;
      const { isRestore, offeringId = null } = body;
      const receipt = { projectId: scope.projectId, app, appUserId, transaction, isRestore, offeringId };
      const made = await submitIosReceipt(services.deps, by, receipt);
      const changes = attributeChanges(body.attributes ?? {}, services.runtime.now());
      const introduced = { source: 'sdk' as const, changes };
      const attributed =
        changes.length > 0 ? await setAttributes(services.deps, by, scope.projectId, appUserId, introduced) : made;
      const position = attributed.position ?? made.position;
      return { body: () => shownSubscriber(services, input), after: shownIn(position, customers, transactions) };
    },
  }),
];
