// Stories of a few customers that the examples of several charts share: what happens, day by day, and in words.

/** Something that happens to a customer, always at 10:00 UTC. Periods are ISO 8601 durations, amounts US dollars. */
export type StoryStep = { readonly who: string; readonly on: string } & (
  | { readonly does: 'appear' | 'use' | 'cancel' }
  | { readonly does: 'try'; readonly for: string; readonly until: string }
  | {
      readonly does: 'pay';
      readonly usd: number;
      readonly for: string;
      readonly until: string;
      /** Share of the price. */
      readonly tax?: number;
      readonly isIntroductory?: true;
    }
  | { readonly does: 'buy'; readonly usd: number }
  | { readonly does: 'fail'; readonly graceUntil: string }
  /** Refund of everything that the customer paid on the day `paidOn`; it ends the access. */
  | { readonly does: 'refund'; readonly paidOn: string }
);

export type Story = readonly StoryStep[];

/** Time of all figures: what happened before it is known. */
export const STORY_AS_OF = '2026-04-01';
/** Share of the price that the store retains. */
export const STORY_COMMISSION = 0.3;

const month = { for: 'P1M' } as const;
const week = { for: 'P1W' } as const;

export const subscribers: Story = [
  { who: 'Ana', on: '2026-01-05', does: 'pay', usd: 10, ...month, until: '2026-02-05' },
  { who: 'Ana', on: '2026-02-05', does: 'pay', usd: 10, ...month, until: '2026-03-05' },
  { who: 'Ana', on: '2026-03-05', does: 'pay', usd: 10, ...month, until: '2026-04-05' },
  { who: 'Bob', on: '2026-02-02', does: 'pay', usd: 60, for: 'P1Y', until: '2027-02-02' },
  { who: 'Cyd', on: '2026-01-10', does: 'try', ...week, until: '2026-01-17' },
  { who: 'Cyd', on: '2026-01-17', does: 'pay', usd: 10, ...month, until: '2026-02-17' },
  { who: 'Cyd', on: '2026-01-20', does: 'cancel' },
  { who: 'Eve', on: '2026-01-28', does: 'pay', usd: 8, ...month, until: '2026-02-28' },
  { who: 'Eve', on: '2026-02-28', does: 'fail', graceUntil: '2026-03-07' },
  { who: 'Gil', on: '2026-02-01', does: 'pay', usd: 4, ...month, until: '2026-03-01', isIntroductory: true },
  { who: 'Gil', on: '2026-03-01', does: 'pay', usd: 10, ...month, until: '2026-04-01' },
];

export const triers: Story = [
  { who: 'Ana', on: '2026-01-28', does: 'try', ...week, until: '2026-02-04' },
  { who: 'Ana', on: '2026-02-04', does: 'pay', usd: 10, ...month, until: '2026-03-04' },
  { who: 'Bob', on: '2026-01-10', does: 'try', ...week, until: '2026-01-17' },
  { who: 'Bob', on: '2026-01-12', does: 'cancel' },
  { who: 'Dov', on: '2026-01-20', does: 'try', ...week, until: '2026-01-27' },
  { who: 'Dov', on: '2026-01-27', does: 'pay', usd: 10, ...month, until: '2026-02-27' },
  { who: 'Dov', on: '2026-01-30', does: 'refund', paidOn: '2026-01-27' },
];

export const payers: Story = [
  { who: 'Ana', on: '2026-01-05', does: 'pay', usd: 10, ...month, until: '2026-02-05', tax: 0.1 },
  { who: 'Ana', on: '2026-02-05', does: 'pay', usd: 10, ...month, until: '2026-03-05', tax: 0.1 },
  { who: 'Bob', on: '2026-02-08', does: 'buy', usd: 5 },
  { who: 'Bob', on: '2026-03-10', does: 'refund', paidOn: '2026-02-08' },
  { who: 'Eve', on: '2026-01-20', does: 'pay', usd: 8, ...month, until: '2026-02-20' },
  { who: 'Eve', on: '2026-02-09', does: 'refund', paidOn: '2026-01-20' },
];

export const newcomers: Story = [
  { who: 'Ana', on: '2026-01-03', does: 'appear' },
  { who: 'Ana', on: '2026-01-05', does: 'pay', usd: 10, ...month, until: '2026-02-05' },
  { who: 'Ana', on: '2026-02-05', does: 'pay', usd: 10, ...month, until: '2026-03-05' },
  { who: 'Bob', on: '2026-01-10', does: 'appear' },
  { who: 'Bob', on: '2026-02-03', does: 'use' },
  { who: 'Cyd', on: '2026-01-20', does: 'appear' },
  { who: 'Cyd', on: '2026-02-09', does: 'pay', usd: 10, ...month, until: '2026-03-09' },
  { who: 'Cyd', on: '2026-02-15', does: 'refund', paidOn: '2026-02-09' },
  { who: 'Dov', on: '2026-02-02', does: 'appear' },
  { who: 'Dov', on: '2026-02-03', does: 'buy', usd: 5 },
];

const durations: Readonly<Record<string, string>> = { P1W: 'a week', P1M: 'a month', P1Y: 'a year' };
const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** Returns one sentence per step. */
export function describeStory(story: Story): readonly string[] {
  return story.map((step) => `${step.who} ${describeStep(step)}.`);
}

function describeStep(step: StoryStep): string {
  const on = dayText(step.on);
  switch (step.does) {
    case 'appear':
      return `is first seen on ${on}`;
    case 'use':
      return `uses the app on ${on}`;
    case 'cancel':
      return `turns off the renewal on ${on}`;
    case 'try':
      return `starts a free trial of ${durations[step.for] ?? step.for} on ${on}`;
    case 'pay': {
      const price = step.isIntroductory ? `an introductory price of $${step.usd}` : `$${step.usd}`;
      const tax = step.tax === undefined ? '' : `, of which ${step.tax * 100}% is tax`;
      return `pays ${price} for ${durations[step.for] ?? step.for} on ${on}${tax}`;
    }
    case 'buy':
      return `makes a one-time purchase of $${step.usd} on ${on}`;
    case 'fail':
      return `fails to pay on ${on} and has a grace period until ${dayText(step.graceUntil)}, without a payment`;
    case 'refund':
      return `gets the payment of ${dayText(step.paidOn)} back on ${on}, and loses access`;
  }
}

function dayText(day: string): string {
  return `${Number(day.slice(8))} ${months[Number(day.slice(5, 7)) - 1] ?? ''}`;
}
