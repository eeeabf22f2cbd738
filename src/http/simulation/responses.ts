// Response of a simulated customer life.
import { z } from 'zod';
import { money, redactableText, time } from '../bodies/response-schemas.js';
import { timelineEntry } from '../customers/responses.js';
import { chartData } from '../charts/responses.js';

const { access } = timelineEntry.shape;

const event = z.strictObject({
  step: z.int().nullable().meta({ description: 'Number of the step that led to it, from 0; null: time alone.' }),
  at: time.meta({ description: 'When it takes effect.' }),
  recordedAt: time,
  type: z.string(),
  summary: redactableText,
  access,
});

const interval = z.strictObject({
  lookupKey: z.string(),
  from: time,
  until: time.nullable().meta({ description: 'Null if permanent.' }),
});

const webhook = z.strictObject({
  type: z.string(),
  at: time.meta({ description: 'When it would be sent.' }),
  body: money(z.record(z.string(), z.unknown())).meta({ description: 'JSON body in camelCase.' }),
});

const { shape } = chartData;
const chart = z.strictObject({
  id: z.string(),
  name: z.string(),
  interval: shape.interval,
  buckets: z
    .array(z.strictObject({ start: time, values: z.record(z.string(), z.number().nullable()) }))
    .meta({ description: 'Buckets in which it is not zero, in USD for money.' }),
});

export const simulation = z
  .strictObject({
    object: z.literal('simulation'),
    timeline: z.array(event).meta({ description: 'Oldest first.' }),
    access: z.array(interval),
    webhooks: z.array(webhook),
    charts: z.array(chart).meta({ description: 'What this customer adds to charts.' }),
    until: time.meta({ description: 'Instant of the last event.' }),
    notes: z.array(z.string()).meta({ description: 'What limits the result, such as a missing price.' }),
  })
  .meta({ id: 'Simulation' });
