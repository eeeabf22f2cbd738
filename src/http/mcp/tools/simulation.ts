// Tool to simulate a customer's life by a script.
import { z } from 'zod';
import { findChart } from '../../../domain/charts/catalogue/catalogue.js';
import { plainSteps } from '../../../domain/simulation/life-script.js';
import { simulation } from '../../simulation/response.js';
import { simulationBody } from '../../simulation/routes.js';
import { figure, mapFigures, toFigure } from '../amounts.js';
import { instant } from '../inputs.js';
import { bodyOf, defineTool, type Tool } from '../tool.js';

const whats = [
  ...plainSteps,
  ...(['buy', 'trial', 'transfer', 'billing_fail', 'pause', 'change_product', 'extend', 'grant'] as const),
] as const;

/** Fields of all steps; the endpoint checks which a step needs. */
const step = z.strictObject({
  at: instant,
  what: z.enum(whats),
  product: z.string().max(200).optional().meta({ description: 'For change_product; for buy and trial optional.' }),
  graceEndsAt: instant.nullable().optional().meta({ description: 'For billing_fail; null: no grace period.' }),
  resumesAt: instant.optional().meta({ description: 'For pause.' }),
  atRenewal: z.boolean().optional().meta({ description: 'For change_product; default: at once.' }),
  until: instant.nullable().optional().meta({ description: 'For extend and grant; null: a permanent grant.' }),
  entitlement: z.string().max(200).optional().meta({ description: 'For grant.' }),
});

const { shape } = simulation;
const { shape: input } = simulationBody;
const { element: chart } = shape.charts;
const bucket = chart.shape.buckets.element.extend({ values: z.record(z.string(), figure.nullable()) });

const simulateLife = defineTool({
  name: 'simulate_life',
  title: 'Simulate a customer’s life',
  description:
    'What would happen to a customer: runs a script of steps (buy, renew, billing_fail, refund …) through the real rules on the project’s catalogue, and stores nothing. Returns the timeline, the intervals of access, the webhooks that would be sent, and what it adds to charts. Payloads of webhooks only with payloads: true.',
  uses: ['POST /v1/projects/{id}/simulations'],
  input: z.strictObject({
    product: z.string().max(200).meta({ description: 'Product ID or store product ID, see get_catalog.' }),
    appId: z.string().max(64).optional().meta({ description: 'Required if several apps have the product.' }),
    country: z.string().length(2).optional(),
    price: z
      .strictObject({ amount: z.number(), currency: z.string().length(3) })
      .optional()
      .meta({ description: 'Instead of the catalogue’s price, as in 9.99 USD.' }),
    refundPolicy: z.enum(['revoke_immediately', 'keep_until_expiry']).optional(),
    charts: input.charts.unwrap().optional(),
    steps: z.array(step).min(1).max(50).meta({ description: 'In the order of their times.' }),
    payloads: z.boolean().default(false),
  }),
  output: z.object({
    timeline: z.array(shape.timeline.element.omit({ recordedAt: true }).strip()),
    access: shape.access,
    webhooks: z.array(shape.webhooks.element.partial({ body: true }).strip()),
    charts: z.array(chart.extend({ buckets: z.array(bucket) })),
    notes: shape.notes,
  }),
  tooLarge: 'Send fewer steps, fewer charts, or payloads: false.',
  run: async ({ payloads, ...script }, { client, projectId: id }) => {
    const found = bodyOf(
      await client.POST('/v1/projects/{id}/simulations', {
        params: { path: { id } },
        // The endpoint names the field that a step lacks.
        body: script as never,
      }),
    );
    const webhooks = found.webhooks.map(({ body, ...one }) => ({ ...one, ...(payloads && { body }) }));
    const charts = found.charts.map((one) => {
      const measures = findChart(one.id)?.measures ?? [];
      const buckets = one.buckets.map(({ start, values }) => ({
        start,
        values: mapFigures(measures, values, toFigure),
      }));
      return { ...one, buckets };
    });
    return { data: { ...found, webhooks, charts }, page: '/setup' };
  },
});

export const simulationTools: readonly Tool[] = [simulateLife];
