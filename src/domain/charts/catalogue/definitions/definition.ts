// Definition of a chart in words: formulas, edge cases, and an example with numbers. The example is played through the projections by a test,
// which compares its figures.
import type { Story } from './stories.js';

/** Situations that every definition mentions, in display order. */
export const edgeCases = ['trials', 'grace', 'annual', 'taxes', 'refunds', 'currency'] as const;
export type EdgeCases = Readonly<Record<(typeof edgeCases)[number], string>>;

export type ExampleFigure = {
  readonly measure: string;
  /** Calculation by hand, such as `10 + 60 / 12`; its result is the value. */
  readonly calculation: string;
  /** Value that the chart displays. */
  readonly value: number;
};

export type Example = {
  readonly story: Story;
  /** First day of the month that the figures are of. */
  readonly month: string;
  /** Index of the column that the figures are of; only for cohorts. */
  readonly column?: number;
  readonly figures: readonly ExampleFigure[];
  /** States who counts, and why. */
  readonly because: string;
};

export type ChartDefinition = {
  /** Formula by measure, and by `size` for cohorts. */
  readonly formulas: Readonly<Record<string, string>>;
  readonly edgeCases: EdgeCases;
  readonly example: Example;
};
