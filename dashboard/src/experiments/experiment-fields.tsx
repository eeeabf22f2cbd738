// Form fields of an experiment: its audience and its primary metric.
import { type Schemas } from '../api/client';
import { metricName } from '../names/experiments';
import { text } from '../parts/form-dialog';
import { Field, Select } from '../parts/form';

export type Experiment = Schemas['ExperimentDetail'];
type Body = Schemas['CreateExperimentBody'];
type Metric = NonNullable<Body['primaryMetric']>;
type Platform = NonNullable<NonNullable<Body['audience']>['platforms']>[number];

const METRICS: readonly Metric[] = [
  'conversion_to_paying_rate',
  'initial_conversion_rate',
  'trial_conversion_rate',
  'realized_ltv_per_customer',
  'realized_ltv_usd',
  'mrr_per_customer',
  'mrr',
  'paying_customers',
  'active_subscribers',
];
const PLATFORMS: readonly Platform[] = ['ios', 'android'];

export function ExperimentFields({ experiment }: { readonly experiment?: Experiment }) {
  const { name, description, primaryMetric, enrollmentPercentage, audience } = experiment ?? {};
  const metric = primaryMetric ?? 'conversion_to_paying_rate';
  const metrics = (METRICS as readonly string[]).includes(metric) ? METRICS : [metric, ...METRICS];
  const platforms = audience?.platforms ?? [];
  return (
    <>
      <Field label="Name" name="name" required maxLength={100} autocomplete="off" defaultValue={name ?? ''} />
      <Field label="Hypothesis" name="description" autocomplete="off" defaultValue={description ?? ''} />
      <div class="row end">
        <Select
          label="Primary metric"
          name="primaryMetric"
          value={metric}
          options={metrics.map((one) => [one, metricName(one)] as const)}
        />
        <Field
          label="Share of new customers (percent)"
          name="enrollmentPercentage"
          type="number"
          required
          min={1}
          max={100}
          defaultValue={String(enrollmentPercentage ?? 100)}
        />
      </div>
      <div class="row end">
        <Select
          label="Platform"
          name="platform"
          value={platforms.length === 1 ? (platforms[0] ?? '') : platforms.length === 0 ? '' : 'kept'}
          options={[
            ['', 'any'],
            ...(platforms.length > 1 ? [['kept', platforms.join(', ')] as const] : []),
            ...PLATFORMS.map((one) => [one, one] as const),
          ]}
        />
        <Field
          label="Countries"
          name="countries"
          placeholder="DE, AT"
          hint="Two-letter codes; empty: all"
          autocomplete="off"
          defaultValue={audience?.countries?.join(', ') ?? ''}
        />
        <Field
          label="From version"
          name="minAppVersion"
          placeholder="2.4"
          autocomplete="off"
          defaultValue={audience?.minAppVersion ?? ''}
        />
      </div>
    </>
  );
}

/** Fields that can still be changed after the start; the metric cannot. */
export function RunningExperimentFields({
  experiment: { description, enrollmentPercentage },
}: {
  readonly experiment: Experiment;
}) {
  return (
    <>
      <Field label="Hypothesis" name="description" autocomplete="off" defaultValue={description ?? ''} />
      <Field
        label="Share of new customers (percent)"
        name="enrollmentPercentage"
        type="number"
        required
        min={1}
        max={100}
        defaultValue={String(enrollmentPercentage)}
      />
    </>
  );
}

export function runningExperimentBody(data: FormData): Schemas['UpdateExperimentBody'] {
  return {
    description: text(data, 'description') || null,
    enrollmentPercentage: Number(text(data, 'enrollmentPercentage')),
  };
}

/** Takes values that are not in the form from `before`. */
export function experimentBody(data: FormData, before?: Experiment): Body {
  const chosen = text(data, 'platform');
  const platform = PLATFORMS.find((one) => one === chosen);
  const countries = text(data, 'countries')
    .toUpperCase()
    .split(/[\s,]+/)
    .filter(Boolean);
  const audience = { ...before?.audience } as NonNullable<Body['audience']>;
  return {
    name: text(data, 'name'),
    description: text(data, 'description') || null,
    primaryMetric: text(data, 'primaryMetric') as Metric,
    enrollmentPercentage: Number(text(data, 'enrollmentPercentage')),
    audience: {
      ...audience,
      ...(chosen !== 'kept' && { platforms: platform ? [platform] : null }),
      countries: countries.length > 0 ? countries : null,
      minAppVersion: text(data, 'minAppVersion') || null,
    },
  };
}
