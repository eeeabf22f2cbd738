// The worked examples of the charts' definitions: played through the real projection, by the reference calculator, and calculated by hand.
import { expect } from 'chai';
import { createMemoryDocuments } from '../../adapters/documents/memory.js';
import { charts } from '../../../src/domain/charts/catalogue/catalogue.js';
import type { Chart } from '../../../src/domain/charts/catalogue/chart.js';
import { edgeCases, type Example } from '../../../src/domain/charts/catalogue/definitions/definition.js';
import {
  describeStory,
  STORY_AS_OF,
  STORY_COMMISSION,
  type Story,
  type StoryStep,
} from '../../../src/domain/charts/catalogue/definitions/stories.js';
import { customerHistories } from '../../../src/projections/charts/customer-histories.js';
import { readChart } from '../../../src/projections/charts/query-chart.js';
import type { ReadModels } from '../../../src/projections/queries/read-models.js';
import { createReference } from '../../charts-reference/reference.js';
import { eventsOf } from '../../commands/support/memory-deps.js';
import type { NormalEvent } from '../../domain/charts/normal-form.js';
import { queryOf, readableResult } from '../../domain/charts/run-query.js';
import { feedsOf, firstBuild, open, runAll } from '../support/builds.js';
import { PROJECT } from '../support/spec.js';
import { openReading } from './reading.js';
import { emptyLog, record } from './recorded-log.js';

type Point = {
  readonly start: string;
  readonly values?: Readonly<Record<string, number | null>>;
  readonly size?: number;
  readonly columns?: readonly Readonly<Record<string, unknown>>[];
};
type Result = { readonly buckets?: readonly Point[]; readonly rows?: readonly Point[] };
type Sources = Awaited<ReturnType<typeof openReading>>['sources'] & { readonly readModels: ReadModels };

const instant = (day: string) => `${day}T10:00:00.000Z`;
const asOf = `${STORY_AS_OF}T00:00:00.000Z`;
const period = { start: '2026-01-01T00:00:00.000Z', end: asOf, interval: 'month', asOf } as const;

/** The story as events, in the order of time. */
function eventsOfStory(story: Story): readonly NormalEvent[] {
  const begun = new Set<string>();
  const inOrder = [...story].sort((a, b) => (a.on < b.on ? -1 : a.on > b.on ? 1 : 0));
  return inOrder.map((step): NormalEvent => {
    const common = { customerId: step.who, at: instant(step.on), subscriptionId: `sub_${step.who}` };
    if (step.does === 'try' || step.does === 'pay') {
      const isFirst = begun.size !== begun.add(step.who).size;
      return { ...common, ...periodOf(step), type: isFirst ? 'SubscriptionStarted' : 'SubscriptionRenewed' };
    }
    const { subscriptionId: _line, ...ofCustomer } = common;
    switch (step.does) {
      case 'appear':
        return { ...ofCustomer, type: 'CustomerCreated' };
      case 'use':
        return { ...ofCustomer, type: 'CustomerSeen' };
      case 'cancel':
        return { ...common, type: 'SubscriptionAutoRenewDisabled' };
      case 'fail':
        return { ...common, type: 'SubscriptionGracePeriodEntered', gracePeriodExpiresAt: instant(step.graceUntil) };
      case 'refund':
        return { ...ofCustomer, type: 'TransactionRefunded', transactionId: transactionOf(step.who, step.paidOn) };
      case 'buy':
        return {
          ...{ ...ofCustomer, type: 'OneTimePurchaseCompleted', transactionId: transactionOf(step.who, step.on) },
          ...{ revenueUsd: step.usd, commissionRate: STORY_COMMISSION },
        };
    }
  });
}

const transactionOf = (who: string, day: string) => `${who}_${day}`;

function periodOf(step: Extract<StoryStep, { readonly does: 'try' | 'pay' }>): Partial<NormalEvent> {
  const common = {
    ...{ transactionId: transactionOf(step.who, step.on), periodDuration: step.for, expiresAt: instant(step.until) },
    // A trial is of a subscription by the month.
    ...{ productDuration: step.does === 'try' ? 'P1M' : step.for, commissionRate: STORY_COMMISSION },
  };
  if (step.does === 'try') return { ...common, periodType: 'trial', revenueUsd: 0 };
  const type = step.isIntroductory ? 'intro' : 'normal';
  return { ...common, periodType: type, revenueUsd: step.usd, taxRate: step.tax ?? 0 };
}

/** Plays the story through the projection that the service uses. */
async function play(story: Story): Promise<Sources> {
  const log = emptyLog();
  const docs = createMemoryDocuments();
  const events = eventsOfStory(story);
  await record(log, events, events);
  const runner = await open(log, docs, firstBuild(customerHistories));
  await runAll(
    runner,
    feedsOf(await eventsOf(log), () => 2),
  );
  return (await openReading(docs)).sources;
}

/** The figures of the example in a result, rounded as displayed. */
function figuresIn(result: Result, { month, column, figures }: Example): readonly (number | null)[] {
  const point = (result.buckets ?? result.rows ?? []).find(({ start }) => start.startsWith(month));
  return figures.map(({ measure }) => {
    if (measure === 'size') return point?.size ?? null;
    const values = column === undefined ? point?.values : point?.columns?.[column];
    return (values?.[measure] as number | null | undefined) ?? null;
  });
}

/** Calculates sums and products with parentheses: a calculation by hand. */
function calculate(text: string): number {
  const tokens = text.match(/[\d.]+|[-+*/()]/g) ?? [];
  let next = 0;
  const factor = (): number => {
    const token = tokens[next++] ?? '';
    if (token === '-') return -factor();
    if (token !== '(') return Number(token);
    const value = sum();
    next++;
    return value;
  };
  const product = (): number => {
    let value = factor();
    while (tokens[next] === '*' || tokens[next] === '/')
      value = tokens[next++] === '*' ? value * factor() : value / factor();
    return value;
  };
  const sum = (): number => {
    let value = product();
    while (tokens[next] === '+' || tokens[next] === '-')
      value = tokens[next++] === '+' ? value + product() : value - product();
    return value;
  };
  return sum();
}

const measuresOf = ({ kind, measures }: Chart) => [
  ...(kind === 'cohort' ? ['size'] : []),
  ...measures.map(({ id }) => id),
];

describe('the definition of a chart', () => {
  const played = new Map<Story, Promise<Sources>>();
  const sourcesOf = (story: Story) => {
    const known = played.get(story) ?? play(story);
    played.set(story, known);
    return known;
  };

  for (const chart of charts) {
    const { id, definition } = chart;
    const { example } = definition;
    const values = example.figures.map(({ value }) => value);

    it(`has an example whose figures the projection has: ${id}`, async () => {
      const sources = await sourcesOf(example.story);
      for (const isLive of [true, false]) {
        const { result } = await readChart(sources, PROJECT, queryOf(id, period), isLive);
        expect(figuresIn(readableResult(result) as Result, example), `live ${isLive}`).to.deep.equal(values);
      }
    });

    it(`has an example that the reference calculator and a calculation by hand agree with: ${id}`, () => {
      const reference = createReference(eventsOfStory(example.story), Date.parse(asOf));
      const [start, end, now] = [Date.parse(period.start), Date.parse(period.end), Date.parse(asOf)];
      const result = reference(id, { start, end, interval: 'month', now }) as Result;
      expect(figuresIn(result, example)).to.deep.equal(values);
      const calculated = example.figures.map(({ calculation }) => Math.round(calculate(calculation) * 100) / 100);
      expect(calculated).to.deep.equal(values);
    });

    it(`has a formula and a figure for each measure, all edge cases, and only people of its story: ${id}`, () => {
      expect(Object.keys(definition.formulas)).to.deep.equal(measuresOf(chart));
      expect(example.figures.map(({ measure }) => measure)).to.deep.equal(measuresOf(chart));
      expect(Object.keys(definition.edgeCases)).to.have.members(edgeCases);
      const people = new Set(example.story.map(({ who }) => who));
      const others = ['Ana', 'Bob', 'Cyd', 'Dov', 'Eve', 'Gil'].filter((name) => !people.has(name));
      expect(others.filter((name) => example.because.includes(name))).to.deep.equal([]);
      expect(describeStory(example.story).join(' ')).not.to.match(/undefined|NaN|P\d/);
    });
  }
});
