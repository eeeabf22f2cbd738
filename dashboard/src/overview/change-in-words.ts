// Change of a figure in words: `12% less than the previous 28 days`.
import { sentenceCase } from '../parts/format';

type ChangeOptions = {
  readonly now: number | null;
  readonly then: number | null;
  /** Time of the earlier figure, such as `the previous 28 days` or `28 days ago`. */
  readonly before: string;
  readonly format: (value: number) => string;
};

const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 0 });
const finePercent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 });
const factor = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });
/** Share from which on a change is stated as a multiple. */
const MAX_SHARE = 3;
/** Minus sign with a word joiner, so that no line ends between it and its figure. */
const MINUS = '−\u2060';
const MIN_COARSE_SHARE = 0.1;

export function changeInWords({ now, then, before, format }: ChangeOptions): string {
  if (now === null || then === null) return `No figure for ${before}`;
  if (now === then) return `The same as ${before}`;
  // A share of nothing, or of a figure with another sign, says nothing.
  if (then === 0 || now === 0 || now < 0 !== then < 0) {
    return `${sentenceCase(before)}: ${then === 0 ? 'none' : format(then).replace('-', MINUS)}`;
  }
  const share = Math.abs(now - then) / Math.abs(then);
  const isMore = now > then;
  if (isMore && share >= MAX_SHARE) return `${factor.format(now / then)} times as much as ${before}`;
  const text = share < MIN_COARSE_SHARE ? finePercent.format(share) : percent.format(share);
  return `${text} ${isMore ? 'more' : 'less'} than ${before}`;
}
