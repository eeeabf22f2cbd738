// Lines from value to value. A missing value is a gap; the segment to an incomplete period is dashed. With several lines, each has its
// number at its end, as in the legend, so that they can be told apart without colour.
import { line } from 'd3-shape';
import type { Point, Series } from '../data/series';
import type { Frame } from './frame';

export function Lines({
  series,
  frame,
  isBefore = false,
}: {
  readonly series: readonly Series[];
  readonly frame: Frame;
  readonly isBefore?: boolean;
}) {
  const draw = line<readonly [number, Point]>()
    .defined(([, { value }]) => value !== null)
    .x(([i]) => frame.x(i) + frame.width / 2)
    .y(([, { value }]) => frame.y(value ?? 0));
  return (
    <>
      {series.map((one, s) => {
        const points = [...one.points.entries()];
        const open = one.points.findIndex(({ isIncomplete }) => isIncomplete);
        const whole = open < 0 ? points : points.slice(0, open);
        const rest = open < 0 ? [] : points.slice(Math.max(0, open - 1));
        const name = isBefore ? 'line before' : `line c${s + 1}`;
        return (
          <g key={one.id}>
            <path class={name} d={draw(whole) ?? ''} />
            {rest.length > 0 && <path class={`${name} open`} d={draw(rest) ?? ''} />}
            {series.length > 1 && (
              <EndNumber number={s + 1} last={points.findLast(([, { value }]) => value !== null)} frame={frame} />
            )}
            {points.length === 1 && (
              <circle class={name} cx={frame.x(0)} cy={frame.y(points[0]?.[1].value ?? 0)} r="3" />
            )}
          </g>
        );
      })}
    </>
  );
}

function EndNumber({
  number,
  last,
  frame,
}: {
  readonly number: number;
  readonly last: readonly [number, Point] | undefined;
  readonly frame: Frame;
}) {
  if (!last) return null;
  const [i, { value }] = last;
  return (
    <text class="end" x={frame.x(i) + frame.width / 2 + 4} y={frame.y(value ?? 0) + 4}>
      {number}
    </text>
  );
}
