// The computed path: any question, answered from people one after the other.
import type { ChartAnswer } from './answer.js';
import type { Person } from '../history/history.js';
import { lifeOf, type Life, type LiveLine } from '../history/life.js';
import { createPart, type Part } from './part.js';
import { asksCustomer, valueOf, type Dimension, type Question } from '../catalogue/question.js';

export type Calculator = {
  take(person: Person): void;
  /** The same, of a person whose facts have been cut at the question's instant, and converted, already. */
  takeLife(life: Life): void;
  /** Of everything asked about, also beside segments. */
  answer(): ChartAnswer;
  /** By the segment's values, in their order. A segment is what the filter for its value would answer. */
  segments(): ReadonlyMap<string, ChartAnswer>;
};

export function createCalculator(q: Question): Calculator {
  const whole = createPart(q);
  /** What counts in every segment alike. */
  const shared = createPart(q);
  const parts = new Map<string, Part>();
  const partOf = (value: string): Part => {
    const part = parts.get(value) ?? createPart(q);
    parts.set(value, part);
    return part;
  };
  const takeLife = (life: Life): void => {
    if (!isAskedCustomer(q, life)) return;
    const lines = askedLines(q, life);
    const { segment } = q;
    whole.take(life, lines, 1);
    if (segment && asksCustomer(q.chart, segment)) {
      partOf(valueOf(q, segment, life, null)).take(life, lines, 1);
    } else if (segment) {
      for (const [value, own] of byValue(q, segment, life, lines)) {
        partOf(value).take(life, own, 1);
        if (q.chart.subject === 'customers') partOf(value).take(life, [], -1);
      }
      if (q.chart.subject === 'customers') shared.take(life, [], 1);
    }
  };
  return {
    takeLife,
    take: (person) => {
      const life = lifeOf(person, q.environment, q.range.asOf);
      if (life) takeLife(q.conversion?.convert(life) ?? life);
    },
    answer: () => whole.answer(),
    segments: () => {
      const values = [...parts].sort(([a], [b]) => (a < b ? -1 : 1));
      return new Map(values.map(([value, part]) => [value, joined(q, part, shared).answer()]));
    },
  };
}

/** Nothing is shared unless customers count in every segment. */
function joined(q: Question, part: Part, shared: Part): Part {
  const sum = createPart(q);
  sum.addAll(part);
  sum.addAll(shared);
  return sum;
}

function isAskedCustomer(q: Question, life: Life): boolean {
  for (const [dimension, wanted] of q.filters) {
    if (asksCustomer(q.chart, dimension) && !wanted.has(valueOf(q, dimension, life, null))) return false;
  }
  return true;
}

function askedLines(q: Question, life: Life): readonly LiveLine[] {
  const asked = [...q.filters].filter(([dimension]) => !asksCustomer(q.chart, dimension));
  if (asked.length === 0) return life.lines;
  const fits = ({ about }: LiveLine) => asked.every(([d, wanted]) => wanted.has(valueOf(q, d, life, about)));
  return life.lines.filter(fits);
}

function byValue(q: Question, segment: Dimension, life: Life, lines: readonly LiveLine[]) {
  const found = new Map<string, LiveLine[]>();
  for (const line of lines) {
    const value = valueOf(q, segment, life, line.about);
    const ofValue = found.get(value) ?? [];
    found.set(value, ofValue);
    ofValue.push(line);
  }
  return found;
}
