// Events of an experiment: its audience, its variants and its status. Enrollments are in the subscribers' streams.
import { z } from 'zod';
import { changeOf } from '../changes.js';
import { defineEvent, type EventOf } from '../events.js';

/** The metrics that an experiment may have as its primary one. */
export const primaryMetrics = [
  'customers',
  'initial_conversions',
  'initial_conversion_rate',
  'trials_started',
  'trials_completed',
  'trials_converted',
  'trial_conversion_rate',
  'paying_customers',
  'conversion_to_paying_rate',
  'active_subscribers',
  'churned_subscribers',
  'refunded_customers',
  'realized_ltv_usd',
  'realized_ltv_per_customer',
  'realized_ltv_per_paying_customer',
  'mrr',
  'mrr_per_customer',
] as const;
export type PrimaryMetric = (typeof primaryMetrics)[number];

/** Filters for customers; null: no filter. `minAppVersion` compares the numbers between the dots. */
export const audience = z.strictObject({
  countries: z.array(z.string()).nullable(),
  platforms: z.array(z.string()).nullable(),
  appIds: z.array(z.string()).nullable(),
  minAppVersion: z.string().nullable(),
});
export type Audience = z.output<typeof audience>;

export const experimentStatus = z.enum(['draft', 'running', 'paused', 'stopped']);
export type ExperimentStatus = z.output<typeof experimentStatus>;

const settings = {
  name: z.string(),
  description: z.string().nullable(),
  enrollmentPercentage: z.int().min(1).max(100),
  audience,
  primaryMetric: z.string(),
};
const experimentId = z.string();

export const experimentEvents = {
  ExperimentCreated: defineEvent('ExperimentCreated', { experimentId, ...settings }),
  /** `status` covers pauses; the start and the end are events of their own. */
  ExperimentUpdated: defineEvent('ExperimentUpdated', {
    experimentId,
    changes: z.strictObject({
      name: changeOf(settings.name),
      description: changeOf(settings.description),
      enrollmentPercentage: changeOf(settings.enrollmentPercentage),
      audience: changeOf(audience),
      primaryMetric: changeOf(settings.primaryMetric),
      winnerVariantId: changeOf(z.string().nullable()),
      status: changeOf(z.enum(['running', 'paused'])),
    }),
  }),
  ExperimentStarted: defineEvent('ExperimentStarted', { experimentId }),
  ExperimentStopped: defineEvent('ExperimentStopped', { experimentId }),
  ExperimentDeleted: defineEvent('ExperimentDeleted', { experimentId }),
  ExperimentVariantAdded: defineEvent('ExperimentVariantAdded', {
    experimentId,
    variantId: z.string(),
    name: z.string(),
    offeringId: z.string(),
    weight: z.int().min(1).max(1000),
    isControl: z.boolean(),
  }),
  ExperimentVariantDeleted: defineEvent('ExperimentVariantDeleted', { experimentId, variantId: z.string() }),
};
export type ExperimentEvent = EventOf<typeof experimentEvents>;
export type ExperimentData<T extends ExperimentEvent['type']> = Extract<ExperimentEvent, { type: T }>['data'];
