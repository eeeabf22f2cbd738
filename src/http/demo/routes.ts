// Demo projects: creation with simulated customers, and single simulated purchases.
import { z } from 'zod';
import { customerId } from '../../domain/ids.js';
import { projects } from '../../projections/models/projects.js';
import { isOnLoopback } from '../accounts/session-cookie.js';
import { project } from '../accounts/responses.js';
import { HttpError } from '../bodies/errors.js';
import { defineRoute, type Route } from '../dispatch/route.js';
import type { Services } from '../dispatch/services.js';
import { presentProject } from '../projects/present-resources.js';
import type { DemoCaller, Demo } from './demo.js';

const simulatedPurchase = z
  .strictObject({
    object: z.literal('demoPurchase'),
    appUserId: z.string(),
    customerId: z.string(),
    transactionId: z.string(),
    storeProductId: z.string(),
  })
  .meta({ id: 'DemoPurchase' });

type Header = (name: string) => string | undefined;

export const demoRoutes: readonly Route[] = [
  defineRoute({
    method: 'post',
    path: '/v1/demo',
    access: 'accountUser',
    summary: 'Create demo project',
    description:
      'Creates a project with a catalogue and simulated customers, whose last months are generated in the background; `demo` of the project is `playing` in the meantime. Only available if the service listens on loopback and has no other projects than demos.',
    response: project,
    statuses: [202],
    handle: async ({ caller, by, header }, services) => {
      const demo = requireDemo(services);
      const userId = caller.kind === 'user' ? caller.userId : '';
      const projectId = await demo.begin({ ...callerOf(header), userId, by });
      const doc = await services.readModels.get(projects, projectId);
      if (!doc) throw new HttpError(404, 'project not found');
      return { body: presentProject(doc, 'owner', demo), isSecret: true };
    },
  }),
  defineRoute({
    method: 'post',
    path: '/v1/projects/:id/demo/purchase',
    permission: 'configure',
    summary: 'Simulate purchase',
    description:
      'A new customer buys a subscription: a receipt and the notification of the simulated store are sent to the service. Demo projects only.',
    response: simulatedPurchase,
    statuses: [201],
    handle: async ({ scope, header, mayWrite }, services) => {
      const doc = await services.readModels.get(projects, scope.projectId);
      if (!doc?.isDemo) throw new HttpError(409, 'not a demo project; create one with POST /v1/demo');
      // The purchase is sent with the credentials of this request.
      if (!mayWrite) throw new HttpError(403, 'not allowed with this API key; it needs the scopes config and write');
      const purchase = await requireDemo(services).purchase(callerOf(header), scope.projectId);
      const id = customerId(services.deps.hash, scope.projectId, purchase.appUserId);
      return { body: { object: 'demoPurchase', customerId: id, ...purchase }, customers: [id] };
    },
  }),
];

/** Throws {@link HttpError} 403 if demos are not allowed here. */
function requireDemo({ demo, publicUrl }: Services): Demo {
  if (demo && isOnLoopback(publicUrl())) return demo;
  throw new HttpError(403, 'demos require a single process that listens on loopback; start it with HOST=127.0.0.1');
}

function callerOf(header: Header): DemoCaller {
  return { authorization: header('authorization'), apiKey: header('x-api-key') };
}
