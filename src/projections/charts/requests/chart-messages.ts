// Chart requests and their responses as messages between threads. A query contains the ID of its chart, whose functions cannot be sent. Results
// contain their numbers in a few arrays, whose memory is moved: by day and with segments they contain tens of thousands of rows, and copying an
// object for each would block the receiving thread.
import { findChart } from '../../../domain/charts/catalogue/catalogue.js';
import type { ChartQuery } from '../../../domain/charts/catalogue/chart-query.js';
import type {
  BucketResult,
  ChartResult,
  CohortResult,
  CohortRow,
  MeasureValues,
  SegmentedResult,
  SeriesResult,
} from '../../../domain/charts/result/result.js';
import { startOfSeries, type Columns, type ColumnSet } from '../../../domain/charts/result/columns.js';
import type { ChartResponses, ComparisonResult, ChartRequests } from './chart-queries.js';

type PackedQuery = Omit<ChartQuery, 'chart'> & { readonly chartId: string };
export type PackedRequest = ChartRequests<PackedQuery>[keyof ChartRequests];

export function packRequest<K extends keyof ChartRequests>(request: ChartRequests[K]): ChartRequests<PackedQuery>[K] {
  return mapQueries<ChartQuery, PackedQuery, K>(request, ({ chart, ...rest }) => ({ ...rest, chartId: chart.id }));
}

export function unpackRequest<K extends keyof ChartRequests>(request: ChartRequests<PackedQuery>[K]): ChartRequests[K] {
  return mapQueries<PackedQuery, ChartQuery, K>(request, ({ chartId, ...rest }) => {
    const chart = findChart(chartId);
    if (!chart) throw new Error(`unknown chart ${chartId}`);
    return { ...rest, chart };
  });
}

/** Converts each query within a request. */
function mapQueries<A, B, K extends keyof ChartRequests>(
  request: ChartRequests<A>[K],
  convert: (q: A) => B,
): ChartRequests<B>[K] {
  const changed = Object.entries(request).map(([name, part]: [string, unknown]) => {
    const isQuery = name === 'query' || name === 'then' || name === 'now';
    return [name, isQuery ? convert(part as A) : part];
  });
  return Object.fromEntries(changed) as ChartRequests<B>[K];
}

/** Returns the memory of all arrays of numbers in a message, which is moved instead of copied. No other part of the program may use it. */
export function buffersIn(message: unknown): ArrayBuffer[] {
  const found = new Set<ArrayBuffer>();
  const visit = (part: unknown): void => {
    if (ArrayBuffer.isView(part)) found.add(part.buffer as ArrayBuffer);
    else if (typeof part === 'object' && part !== null) Object.values(part).forEach(visit);
  };
  visit(message);
  return [...found];
}

type PackedSeries = {
  readonly kind: 'series';
  readonly names: readonly string[];
  /** Start, end, 1 if incomplete, and the values of each bucket in sequence; NaN for no value. */
  readonly numbers: Float64Array<ArrayBuffer>;
  readonly totals: MeasureValues;
  readonly texts?: SeriesTexts;
};
/** Buckets and summary of the response as JSON. */
export type SeriesTexts = { readonly buckets: Uint8Array<ArrayBuffer>; readonly summary: string };
/** Result with `texts`, if they are already serialized. */
export type UnpackedSeries = SeriesResult & { readonly texts?: SeriesTexts };
type PackedCohorts = {
  readonly kind: 'cohort';
  readonly series: ColumnSet['series'];
  /** Start, end, 1 if incomplete, size, number of columns and of complete columns of each row in sequence. */
  readonly rows: Float64Array<ArrayBuffer>;
  readonly values: ColumnSet['values'];
};
type PackedResult = PackedSeries | PackedCohorts;
type PackedSegments = Omit<SegmentedResult, 'result' | 'segments'> & {
  readonly result: PackedResult;
  readonly segments?: readonly (readonly [value: string, result: PackedResult])[];
};

type PackedComparison = Omit<ComparisonResult, 'then' | 'now'> & {
  readonly then: PackedSegments;
  readonly now: PackedSegments;
};
export type PackedResponse =
  PackedSegments | PackedComparison | ChartResponses['segments' | 'reason' | 'behind' | 'variant' | 'progress'];

const EDGES = 3;
const ROW = 6;

export function packResponse(answer: ChartResponses[keyof ChartRequests], textsOf?: TextsOf): PackedResponse {
  if (!answer) return null;
  if ('result' in answer) return packSegmented(answer, textsOf);
  return 'reasons' in answer ? { ...answer, then: packSegmented(answer.then), now: packSegmented(answer.now) } : answer;
}

export function unpackResponse(packed: PackedResponse): ChartResponses[keyof ChartRequests] {
  if (!packed) return null;
  if ('result' in packed) return unpackSegmented(packed);
  if (!('reasons' in packed)) return packed;
  return { ...packed, then: unpackSegmented(packed.then), now: unpackSegmented(packed.now) };
}

function packSegmented({ result, segments, ...rest }: SegmentedResult, textsOf?: TextsOf): PackedSegments {
  const packed = segments && [...segments].map(([value, one]) => [value, packResult(one, textsOf)] as const);
  return { ...rest, result: packResult(result, textsOf), ...(packed && { segments: packed }) };
}

type TextsOf = (series: SeriesResult) => SeriesTexts;

function unpackSegmented({ result, segments, ...rest }: PackedSegments): SegmentedResult {
  const unpacked = segments && new Map(segments.map(([value, one]) => [value, unpackResult(one)]));
  return { ...rest, result: unpackResult(result), ...(unpacked && { segments: unpacked }) };
}

function packResult(result: ChartResult, textsOf?: TextsOf): PackedResult {
  if (result.kind === 'cohort') return packCohorts(result);
  return { ...packSeries(result), ...(textsOf && { texts: textsOf(result) }) };
}

function unpackResult(packed: PackedResult): ChartResult {
  return packed.kind === 'series' ? unpackSeries(packed) : unpackCohorts(packed);
}

function packSeries({ buckets, totals }: SeriesResult): PackedSeries {
  const names = Object.keys(buckets[0]?.values ?? {});
  const width = EDGES + names.length;
  const numbers = new Float64Array(buckets.length * width);
  for (const [i, { start, end, incomplete, values }] of buckets.entries()) {
    numbers.set([start, end, Number(incomplete)], i * width);
    for (const [k, name] of names.entries()) numbers[i * width + EDGES + k] = values[name] ?? NaN;
  }
  return { kind: 'series', names, numbers, totals };
}

/** Unpacks a series lazily: creating the objects of all segments at once would also block the receiving thread. */
function unpackSeries(packed: PackedSeries): UnpackedSeries {
  const buckets = lazy(() => bucketsOf(packed));
  return {
    kind: 'series',
    get buckets() {
      return buckets();
    },
    totals: packed.totals,
    ...(packed.texts && { texts: packed.texts }),
  };
}

function lazy<T>(make: () => T): () => T {
  let value: T | undefined;
  return () => (value ??= make());
}

function bucketsOf({ names, numbers }: PackedSeries): readonly BucketResult[] {
  const width = EDGES + names.length;
  const buckets: BucketResult[] = [];
  for (let at = 0; at < numbers.length; at += width) {
    const values: Record<string, number | null> = {};
    for (const [k, name] of names.entries()) {
      const value = numbers[at + EDGES + k] ?? NaN;
      values[name] = Number.isNaN(value) ? null : value;
    }
    const [start = 0, end = 0, incomplete] = numbers.subarray(at, at + EDGES);
    buckets.push({ start, end, incomplete: incomplete === 1, values });
  }
  return buckets;
}

function packCohorts({ rows }: CohortResult): PackedCohorts {
  const { series, values }: ColumnSet = rows[0]?.columns ?? { series: [], values: new Float64Array(0) };
  const edges = new Float64Array(rows.length * ROW);
  let at = 0;
  for (const { start, end, incomplete, size, columns } of rows) {
    edges[at++] = start;
    edges[at++] = end;
    edges[at++] = Number(incomplete);
    edges[at++] = size;
    edges[at++] = columns.count;
    edges[at++] = columns.complete;
  }
  return { kind: 'cohort', series, rows: edges, values };
}

function unpackCohorts(packed: PackedCohorts): CohortResult {
  const rows = lazy(() => rowsOf(packed));
  return {
    kind: 'cohort',
    get rows() {
      return rows();
    },
  };
}

function rowsOf({ series, rows, values }: PackedCohorts): readonly CohortRow[] {
  const found: CohortRow[] = [];
  let from = 0;
  const number = (i: number) => rows[i] ?? 0;
  for (let i = 0; i < rows.length; i += ROW) {
    const [start, end, incomplete, size] = [number(i), number(i + 1), number(i + 2) === 1, number(i + 3)];
    const columns: Columns = { series, values, count: number(i + 4), complete: number(i + 5), from };
    found.push({ start, end, incomplete, size, columns });
    from = startOfSeries(columns, series.length);
  }
  return found;
}
