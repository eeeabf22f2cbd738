// Sparkline of a figure; the chart itself has axes and a table. As in the chart, a period that is not complete yet is dashed with a hollow end.
import type { Point } from './data/series';

const WIDTH = 200;
const HEIGHT = 40;
const PADDING = 4;

export function Sparkline({ points, label }: { readonly points: readonly Point[]; readonly label: string }) {
  if (points.length < 2) return <div class="sparkline" />;
  const values = points.map(({ value }) => value ?? 0);
  const [low, high] = [Math.min(...values, 0), Math.max(...values, 0)];
  const span = high - low || 1;
  const places = values.map((value, i) => {
    const x = PADDING + (i / (values.length - 1)) * (WIDTH - 2 * PADDING);
    return [x, HEIGHT - PADDING - ((value - low) / span) * (HEIGHT - 2 * PADDING)] as const;
  });
  const open = points.findIndex(({ isIncomplete }) => isIncomplete);
  const complete = open < 0 ? places : places.slice(0, open);
  const rest = open < 0 ? [] : places.slice(Math.max(0, open - 1));
  const [x, y] = places.at(-1) ?? [0, 0];
  const zero = HEIGHT - PADDING - ((0 - low) / span) * (HEIGHT - 2 * PADDING);
  return (
    <svg
      class="sparkline"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={open < 0 ? label : `${label}; the last day is not complete yet`}
    >
      <line class="base" x1="0" x2={WIDTH} y1={zero} y2={zero} />
      <polyline points={pathOf(complete)} />
      {rest.length > 0 && <polyline class="open" points={pathOf(rest)} />}
      {rest.length > 0 && (
        <>
          <line class="open-end" x1={x} x2={x} y1={y} y2={y} />
          <line class="open-end inside" x1={x} x2={x} y1={y} y2={y} />
        </>
      )}
    </svg>
  );
}

function pathOf(places: readonly (readonly [number, number])[]): string {
  return places.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ');
}
