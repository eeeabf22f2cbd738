// Choice of the period that a chart is compared with: one that follows from its own, or two days.
import { setQuery } from '../../context/router';
import { Select } from '../../parts/form';
import { customRange, DayRange } from './day-range';
import { rangeOf } from '../data/query';

const CUSTOM = 'own';

type Props = {
  /** Value of the parameter `previous`; '' for none. */
  readonly choice: string;
  readonly names: readonly (readonly [choice: string, name: string])[];
};

export function PreviousChoice({ choice, names }: Props) {
  const range = rangeOf(choice);
  const choose = (value: string) => setQuery({ previous: value || null, bucket: null });
  return (
    <>
      <Select
        label="Compare with"
        value={range ? CUSTOM : choice}
        options={[...names, [CUSTOM, 'Custom']]}
        onChange={({ currentTarget: { value } }) => choose(value === CUSTOM ? customRange() : value)}
      />
      {range && <DayRange id="previous" name="compared period" range={range} onChange={choose} />}
    </>
  );
}
