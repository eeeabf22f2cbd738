// Errors about the parameters of a chart, in the words of its options.
import { inLabels } from '../../parts/field-labels';

const LABELS: ReadonlyMap<string, string> = new Map([
  ['startDate', 'From'],
  ['endDate', 'To'],
  ['period', 'Period'],
  ['interval', 'Interval'],
  ['segment', 'Segment by'],
  ['currency', 'Currency'],
  ['asOf', 'As of'],
  ['previous', 'Compare with'],
  ['replay', 'Figures of'],
]);

/** Returns the error with the labels of options instead of the names of parameters. */
export function inOptionLabels(error: Error): Error {
  const labelled = new Error(inLabels(error.message, LABELS).text, { cause: error });
  labelled.name = error.name;
  return labelled;
}
