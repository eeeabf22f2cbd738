// Value of a chart whose customers are shown, as the URL contains it.
import { query, setQuery } from '../../context/router';

export type ShownValue = {
  /** Start of the bucket or of the cohort. */
  readonly bucket: string;
  readonly measure: string;
  /** Index of a cohort column; null for its size and for a series. */
  readonly column: number | null;
  readonly segment: string | null;
};

export function readShownValue(): ShownValue | null {
  const { value } = query;
  const bucket = value.get('bucket');
  if (bucket === null) return null;
  const column = value.get('column');
  return {
    bucket,
    measure: value.get('of') ?? '',
    column: column === null ? null : Number(column),
    segment: value.get('value'),
  };
}

/** Opens the customers of the value. */
export function showValue({ bucket, measure, column, segment }: ShownValue): void {
  setQuery({ tab: 'customers', bucket, of: measure, column: column === null ? null : String(column), value: segment });
}
