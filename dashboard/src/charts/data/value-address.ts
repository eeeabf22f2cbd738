// A value of a chart in the URL of the customer list, as the API takes it.
import type { Parameters } from './query';

/** Returns the value as a parameter of the customer list. `period` has two days, so that the link lists the same tomorrow. */
export function chartValueOf(chartId: string, parameters: Parameters, period: string): string {
  const entries = Object.entries({ ...parameters, period }).flatMap(([name, values]) => {
    return [values ?? []].flat().map((value): [string, string] => [name, String(value)]);
  });
  return `${chartId}?${new URLSearchParams(entries).toString()}`;
}
