// Responses about experiments, their variants and results.
import { z } from 'zod';
import { audience, experimentStatus } from '../../domain/experiment/events.js';
import { money, time } from '../bodies/response-schemas.js';

const fields = {
  object: z.literal('experiment'),
  id: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  status: experimentStatus,
  enrollmentPercentage: z.int(),
  audience,
  primaryMetric: z.string(),
  winnerVariantId: z.string().nullable(),
  startedAt: time.nullable(),
  stoppedAt: time.nullable(),
  createdAt: time,
  updatedAt: time,
};
export const experiment = z.strictObject(fields).meta({ id: 'Experiment' });

export const variant = z
  .strictObject({
    object: z.literal('variant'),
    id: z.string(),
    experimentId: z.string(),
    name: z.string(),
    offeringId: z.string(),
    weight: z.int(),
    isControl: z.boolean(),
    createdAt: time,
  })
  .meta({ id: 'Variant' });

const rate = z.number().nullable().meta({ description: '0 to 1; null without customers.' });
const chance = z.number().meta({ description: 'Probability from 0 to 1 of a better rate than the control’s.' });

const results = z
  .strictObject({
    variantId: z.string(),
    name: z.string(),
    isControl: z.boolean(),
    customers: z.int(),
    initialConversions: z.int().meta({ description: 'Customers with a purchase or a trial.' }),
    initialConversionRate: rate,
    trialsStarted: z.int(),
    trialsCompleted: z.int().meta({ description: 'Converted or expired trials.' }),
    trialsConverted: z.int(),
    trialConversionRate: rate,
    payingCustomers: z.int(),
    conversionToPayingRate: rate,
    activeSubscribers: z.int(),
    churnedSubscribers: z.int(),
    refundedCustomers: z.int(),
    realizedLtvUsd: money(z.number()),
    realizedLtvPerCustomer: money(z.number().nullable()),
    realizedLtvPerPayingCustomer: money(z.number().nullable()),
    mrr: money(z.number()),
    mrrPerCustomer: money(z.number().nullable()),
    chanceToWin: z
      .strictObject({ initialConversionRate: chance, trialConversionRate: chance, conversionToPayingRate: chance })
      .nullable()
      .meta({ description: 'Null for the control.' }),
  })
  .meta({ id: 'VariantResults' });

export const experimentDetail = z
  .strictObject({ ...fields, variants: z.array(variant), results: z.array(results) })
  .meta({ id: 'ExperimentDetail' });
