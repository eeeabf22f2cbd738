// Names of the project's experiments instead of their IDs, and of the metrics that they compare.
import { api, unwrap } from '../api/client';
import { useQuery } from '../api/query';
import { useProject } from '../context/project';
import { wordsOf } from '../parts/format';

const ID = /\bexp_[0-9a-z]+/g;

/** Returns the text with the names of the experiments that it mentions, once they are loaded. */
export function useExperimentWording(text: string): string {
  const { project, may } = useProject();
  const isNeeded = text.includes('exp_') && may('readSetup');
  const params = { path: { id: project.id }, query: { limit: 100 } };
  const { data } = useQuery(isNeeded ? `experiment-names|${project.id}` : null, (signal) =>
    unwrap(api.GET('/v1/projects/{id}/experiments', { params, signal })),
  );
  return text.replaceAll(ID, (id) => {
    const name = data?.items.find((one) => one.id === id)?.name;
    return name === undefined ? id : `“${name}”`;
  });
}

const METRIC_NAMES: Readonly<Record<string, string>> = {
  conversion_to_paying_rate: 'conversion to paying',
  initial_conversion_rate: 'initial conversion',
  trial_conversion_rate: 'trial conversion',
  realized_ltv_per_customer: 'revenue per customer',
  realized_ltv_usd: 'revenue',
  mrr_per_customer: 'MRR per customer',
  mrr: 'MRR',
};

/** Returns the name of a metric as the results table shows it. */
export function metricName(metric: string): string {
  return METRIC_NAMES[metric] ?? wordsOf(metric);
}
