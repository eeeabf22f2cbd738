// Lines or bars as SVG. Bars of incomplete periods are hatched, lines dashed. The table below contains the values; here arrow keys select
// them one by one.
import { scaleLinear, scaleBand } from 'd3-scale';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { calendarDay, formatInUnit } from '../../parts/format';
import { changeText } from '../data/previous';
import { bucketName, type Point, type Series } from '../data/series';
import { Bars } from './bars';
import type { Frame } from './frame';
import { Lines } from './lines';

export type Mark = { readonly day: string; readonly text: string };
type Props = {
  readonly series: readonly Series[];
  readonly form: 'lines' | 'bars' | 'movement';
  readonly interval: string;
  readonly summary: string;
  readonly marks: readonly Mark[];
  readonly onPick?: ((start: string) => void) | undefined;
  /** Height in pixels. */
  readonly height?: number;
  /** Lowest and highest value of the axis; omitted for those of the series. */
  readonly extent?: readonly [low: number, high: number];
};

const HEIGHT = 260;
const MARGIN = { top: 12, right: 20, bottom: 28, left: 64 };
const LABEL_PX = 90;

export function SeriesChart({ series, form, interval, summary, marks, onPick, height = HEIGHT, extent }: Props) {
  const id = useId().replaceAll(':', '');
  const place = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(800);
  const [at, setAt] = useState<number | null>(null);
  useEffect(() => {
    const watch = new ResizeObserver(([entry]) => entry && setWidth(Math.max(260, entry.contentRect.width)));
    if (place.current) watch.observe(place.current);
    return () => watch.disconnect();
  }, []);
  const [first] = series;
  if (!first || first.points.length === 0) return <p class="empty">No figures in this period.</p>;
  const before = beforeOf(series, form);
  const starts = first.points.map(({ start }) => start);
  const band = scaleBand<number>()
    .domain(starts.keys())
    .range([MARGIN.left, width - MARGIN.right])
    .paddingInner(0.2);
  const [low, high] = extent ?? extentOfAll(series, before, form);
  const scale = scaleLinear()
    .domain([Math.min(0, low), Math.max(0, high) || 1])
    .nice()
    .range([height - MARGIN.bottom, MARGIN.top]);
  const frame: Frame = { x: (i) => band(i) ?? 0, width: band.bandwidth(), y: scale, hatch: `${id}-hatch` };
  const every = Math.ceil(starts.length / Math.max(1, Math.floor((width - MARGIN.left) / LABEL_PX)));
  const step = (event: KeyboardEvent) => {
    const by = { ArrowRight: 1, ArrowLeft: -1, Home: -starts.length, End: starts.length }[event.key];
    if (by !== undefined) {
      event.preventDefault();
      setAt(Math.min(starts.length - 1, Math.max(0, (at ?? starts.length) + by)));
    }
    const start = starts[at ?? -1];
    if (event.key === 'Enter' && start !== undefined) onPick?.(start);
  };
  const indexAt = ({ offsetX }: MouseEvent) =>
    Math.min(starts.length - 1, Math.max(0, Math.floor((offsetX - MARGIN.left) / band.step())));
  const pick = (event: MouseEvent) => {
    const start = starts[indexAt(event)];
    if (start !== undefined) onPick?.(start);
  };
  const startAt = starts[at ?? -1];
  return (
    <div class="drawing" ref={place}>
      <svg
        width={width}
        height={height}
        role="img"
        aria-label={`${summary} Arrow keys step through the values.`}
        tabIndex={0}
        onKeyDown={step}
        onMouseMove={(event) => setAt(indexAt(event))}
        onMouseLeave={() => setAt(null)}
        onBlur={() => setAt(null)}
        class={onPick && 'opens'}
        onClick={pick}
      >
        <pattern id={frame.hatch} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect width="3" height="6" class="hatch" />
        </pattern>
        {scale.ticks(5).map((tick) => (
          <g key={tick} class="tick">
            <line x1={MARGIN.left} x2={width - MARGIN.right} y1={scale(tick)} y2={scale(tick)} />
            <text x={MARGIN.left - 8} y={scale(tick) + 4} text-anchor="end">
              {formatInUnit(tick, first.unit, { short: true })}
            </text>
          </g>
        ))}
        {starts.map((start, i) =>
          i % every === 0 ? (
            <text key={start} class="label" x={frame.x(i) + frame.width / 2} y={height - 8} text-anchor="middle">
              {bucketName(start, interval)}
            </text>
          ) : null,
        )}
        {marks.map((mark) => {
          const i = starts.findLastIndex((start) => start.slice(0, 10) <= mark.day);
          const x = frame.x(Math.max(i, 0)) + frame.width / 2;
          return (
            <line
              key={`${mark.day}${mark.text}`}
              class="mark"
              x1={x}
              x2={x}
              y1={MARGIN.top}
              y2={height - MARGIN.bottom}
            >
              <title>{`${calendarDay(mark.day)}: ${mark.text}`}</title>
            </line>
          );
        })}
        {at !== null && (
          <rect
            class="cursor"
            x={frame.x(at)}
            width={frame.width}
            y={MARGIN.top}
            height={height - MARGIN.top - MARGIN.bottom}
          />
        )}
        {form === 'lines' ? <Lines series={series} frame={frame} /> : <Bars series={series} frame={frame} />}
        {before.length > 0 && <Lines series={before} frame={frame} isBefore />}
      </svg>
      <p class="reading" role="status">
        {at === null || startAt === undefined ? (
          <span class="hint">Point at the chart, or step with the arrow keys.</span>
        ) : (
          <>
            <strong>{bucketName(startAt, interval)}</strong>
            {series.map((one, i) => (
              <span key={one.id} class={`key k${i + 1}`}>
                {one.name}: {formatInUnit(one.points[at]?.value, one.unit)}
                {one.before && <BeforeText series={one} at={at} interval={interval} />}
              </span>
            ))}
            {first.points[at]?.isIncomplete && <em>incomplete</em>}
          </>
        )}
      </p>
      {(series.length > 1 || before.length > 0) && (
        <ul class="legend">
          {series.map((one, i) => (
            <li key={one.id} class={`key k${i + 1}`}>
              {form === 'lines' && `${i + 1} `}
              {one.name}
            </li>
          ))}
          {before.length > 0 && (
            <li class="key before">
              {series.length > 1 && form === 'bars' ? 'Compared period, all together' : 'Compared period (thin lines)'}
            </li>
          )}
        </ul>
      )}
    </div>
  );
}

/** Says the figure of the compared period and the change, or that there is none. */
function BeforeText({ series: { points, before, unit }, at, interval }: BeforeProps) {
  const then = before?.[at];
  if (!then) return <> (no counterpart)</>;
  return (
    <>
      {' '}
      ({bucketName(then.start, interval)}: {formatInUnit(then.value, unit)},{' '}
      {changeText(points[at]?.value, then.value, unit)})
    </>
  );
}

type BeforeProps = { readonly series: Series; readonly at: number; readonly interval: string };

/** Returns the lines of the compared period: one per series, or for stacked bars their sum. */
function beforeOf(series: readonly Series[], form: Props['form']): readonly Series[] {
  const lines = series.flatMap(({ before, ...one }) => {
    if (!before) return [];
    const points = before.map((point): Point => point ?? { start: '', end: '', value: null, isIncomplete: false });
    return [{ ...one, points: points.map((point) => ({ ...point, isIncomplete: false })) }];
  });
  const [first] = lines;
  if (form !== 'bars' || !first || lines.length === 1) return lines;
  const sumAt = (i: number) => {
    const values = lines.flatMap(({ points }) => points[i]?.value ?? []);
    return values.length === 0 ? null : values.reduce((a, b) => a + b, 0);
  };
  return [{ ...first, points: first.points.map((point, i) => ({ ...point, value: sumAt(i) })) }];
}

function extentOfAll(series: readonly Series[], before: readonly Series[], form: Props['form']) {
  const extents = [extentOf(series, form), ...(before.length > 0 ? [extentOf(before, 'lines')] : [])];
  return [Math.min(...extents.map(([low]) => low)), Math.max(...extents.map(([, high]) => high))] as const;
}

/** Returns the lowest and highest value that a drawing of the series has to show. */
export function extentOf(series: readonly Series[], form: Props['form']): readonly [number, number] {
  const values = series.map(({ points }) => points.map(({ value }) => value ?? 0));
  if (form === 'lines') return [Math.min(...values.flat()), Math.max(...values.flat())];
  const stacked = (values[0] ?? []).map((_, i) => {
    const all = values.map((one) => one[i] ?? 0);
    const sum = (sign: number) => all.filter((v) => v * sign > 0).reduce((a, b) => a + b, 0);
    return [sum(-1), sum(1)] as const;
  });
  return [Math.min(...stacked.map(([low]) => low)), Math.max(...stacked.map(([, high]) => high))];
}
