// Simulation of a customer's life by a script, on the project's own catalogue. It stores nothing.
import { z } from 'zod';
import { rulesOf, type Catalog } from '../../domain/catalog/catalog.js';
import type { Product } from '../../domain/catalog/products.js';
import { plainSteps, type LifeStep } from '../../domain/simulation/life-script.js';
import { simulateLife } from '../../domain/simulation/simulate-life.js';
import { refundPolicy } from '../../domain/subscriber/events/blocks.js';
import { streams } from '../../domain/streams.js';
import { text } from '../../domain/values/user-text.js';
import { HttpError } from '../bodies/errors.js';
import { country, instant } from '../bodies/request-schemas.js';
import { assumedPrice } from '../catalog/product-routes.js';
import { defineRoute, type Route } from '../dispatch/route.js';
import {
  contributionsTo,
  seriesCharts,
  accessIntervals,
  presentTimeline,
  presentWebhooks,
  simulation,
} from './response.js';

const MAX_STEPS = 50;
const MAX_CHARTS = 6;
/** The service waits for a message of the store for this time after an expiry, unless configured otherwise. */
const SLACK_MS = 3600_000;

const product = text(200).meta({ description: 'ID or store product ID.' });
const step = z.discriminatedUnion('what', [
  z.strictObject({ what: z.enum([...plainSteps, 'transfer']), at: instant }),
  z.strictObject({ what: z.enum(['buy', 'trial']), at: instant, product: product.optional() }),
  z.strictObject({ what: z.literal('billing_fail'), at: instant, graceEndsAt: instant.nullable().optional() }),
  z.strictObject({ what: z.literal('pause'), at: instant, resumesAt: instant.optional() }),
  z.strictObject({ what: z.literal('change_product'), at: instant, product, atRenewal: z.boolean().optional() }),
  z.strictObject({ what: z.literal('extend'), at: instant, until: instant }),
  z.strictObject({ what: z.literal('grant'), at: instant, entitlement: text(200), until: instant.nullable() }),
]);

export const simulationBody = z.strictObject({
  product,
  appId: z.string().max(64).optional().meta({ description: 'Required if several apps have the product.' }),
  country: country.optional(),
  price: assumedPrice
    .optional()
    .meta({ description: 'Price of the product during the whole life; default: those of the catalogue.' }),
  refundPolicy: refundPolicy.optional().meta({ description: 'Default: that of the app.' }),
  charts: z
    .array(z.enum(seriesCharts.map(({ id }) => id)))
    .max(MAX_CHARTS)
    .default(['revenue', 'mrr', 'actives', 'trials']),
  steps: z.array(step).min(1).max(MAX_STEPS).meta({ description: 'In the order of their times.' }),
});

/** Throws {@link HttpError} 400 unless exactly one product has the name. */
function requireProduct({ products }: Catalog, { product: name, appId }: z.output<typeof simulationBody>): Product {
  const found = products.filter(
    (p) => (p.productId === name || p.storeProductId === name) && (appId === undefined || p.appId === appId),
  );
  const [only, another] = found;
  if (!only) throw new HttpError(400, 'product: no product with this ID in this project');
  if (!another) return only;
  throw new HttpError(400, `appId is required: ${found.map((p) => p.appId).join(', ')} have this product`);
}

/** Returns the catalogue with this as the only price of the product. */
function withPrice(catalog: Catalog, { productId }: Product, price: z.output<typeof assumedPrice>): Catalog {
  const others = catalog.prices.filter((one) => one.productId !== productId);
  return {
    ...catalog,
    prices: [...others, { priceId: 'assumed', productId, ...price, country: null, startsAt: null }],
  };
}

function expectOrder(steps: readonly LifeStep[]): void {
  const late = steps.findIndex(({ at }, i) => i > 0 && at < (steps[i - 1]?.at ?? ''));
  if (late > 0) throw new HttpError(400, `steps[${late}].at is before the previous step`);
}

export const simulationRoutes: readonly Route[] = [
  defineRoute({
    method: 'post',
    path: '/v1/projects/:id/simulations',
    permission: 'readCharts',
    isPure: true,
    summary: 'Simulate a customer’s life',
    description:
      'Stores nothing. The steps of the script run through the rules that decide real customers, with the project’s catalogue, and time passes until nothing is left to happen: the answer has the timeline, the access, the webhooks that would be sent, and what it adds to charts. Charges have the catalogue’s price, or the price of the request, and the store’s usual commission; taxes are not known.',
    example: {
      product: 'com.example.stargazer.pro.month',
      steps: [
        { at: '2026-09-01T10:00:00Z', what: 'buy' },
        { at: '2026-10-01T10:00:00Z', what: 'billing_fail' },
        { at: '2026-10-05T10:00:00Z', what: 'recover' },
        { at: '2026-10-20T10:00:00Z', what: 'refund' },
      ],
    },
    body: simulationBody,
    response: simulation,
    handle: async ({ body, scope: { projectId } }, { deps }) => {
      const { steps } = body;
      expectOrder(steps);
      const stored = await deps.catalogs.get(streams.catalog(projectId));
      const project = await deps.projects.get(streams.project(projectId));
      const sold = requireProduct(stored, body);
      const catalog = body.price ? withPrice(stored, sold, body.price) : stored;
      const app = project?.apps.find((one) => one.appId === sold.appId);
      if (!app) throw new HttpError(404, 'the app of this product was deleted');
      const policy = body.refundPolicy ?? app.refundPolicy;
      const simulatedLife = simulateLife({
        ...{
          projectId,
          appUserId: 'simulated',
          environment: 'production',
          app,
          catalog,
          product: sold,
          steps,
          country: body.country ?? null,
        },
        ...{ refundPolicy: policy, slackMs: SLACK_MS },
      });
      const rules = rulesOf(catalog, project?.sandboxAccess !== 'nobody');
      const { events, until, idleSteps } = simulatedLife;
      const requestedCharts = seriesCharts.filter(({ id }) => body.charts.includes(id));
      const response = {
        object: 'simulation' as const,
        timeline: presentTimeline(simulatedLife, rules),
        access: accessIntervals(events, rules),
        webhooks: presentWebhooks(events, projectId, rules),
        charts: contributionsTo(requestedCharts, events, { from: steps[0]?.at ?? until, until }),
        until,
        notes: notesOf(catalog, sold, steps, idleSteps),
      };
      return { body: response };
    },
  }),
];

function notesOf(
  { prices }: Catalog,
  { productId, storeProductId }: Product,
  steps: readonly LifeStep[],
  idleSteps: readonly number[],
): readonly string[] {
  const known = prices.filter((price) => price.productId === productId);
  const isForeign = known.length > 0 && known.every(({ currency }) => currency !== 'USD');
  return [
    ...(known.length === 0 ? [`${storeProductId} has no price in the catalogue: its charges have no amount.`] : []),
    ...(isForeign ? [`${storeProductId} has no price in USD: charts show no money for it.`] : []),
    ...idleSteps.map((i) => `steps[${i}] (${steps[i]?.what ?? ''}) changed nothing.`),
  ];
}
