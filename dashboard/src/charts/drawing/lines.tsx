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
  const numberPlaces = placesOfNumbers(series, frame);
  return (
    <>
      {series.map((one, s) => {
        const points = [...one.points.entries()];
        const open = one.points.findIndex(({ isIncomplete }) => isIncomplete);
        const whole = open < 0 ? points : points.slice(0, open);
        const rest = open < 0 ? [] : points.slice(Math.max(0, open - 1));
        const name = `line ${isBefore ? 'before ' : ''}${isBefore && series.length === 1 ? '' : `c${s + 1}`}`.trim();
        return (
          <g key={one.id}>
            <path class={name} d={draw(whole) ?? ''} />
            {rest.length > 0 && <path class={`${name} open`} d={draw(rest) ?? ''} />}
            {!isBefore && open >= 0 && <OpenEnd name={name} last={points.at(-1)} frame={frame} />}
            {!isBefore && series.length > 1 && numberPlaces[s] && <EndNumber number={s + 1} place={numberPlaces[s]} />}
            {points.length === 1 && (
              <circle class={name} cx={frame.x(0)} cy={frame.y(points[0]?.[1].value ?? 0)} r="3" />
            )}
          </g>
        );
      })}
    </>
  );
}

/** Marks the value of a period that is not complete yet. */
function OpenEnd({
  name,
  last,
  frame,
}: {
  readonly name: string;
  readonly last: readonly [number, Point] | undefined;
  readonly frame: Frame;
}) {
  if (!last || last[1].value === null) return null;
  return (
    <circle class={`${name} open-end`} cx={frame.x(last[0]) + frame.width / 2} cy={frame.y(last[1].value)} r="3" />
  );
}

/** Height of a number at the end of a line. */
const NUMBER_PX = 12;

type Place = { readonly x: number; readonly y: number };

/** Returns the places of the numbers at the ends of the lines, moved up where they would cover each other. */
function placesOfNumbers(series: readonly Series[], frame: Frame): readonly (Place | undefined)[] {
  const ends = series.map(({ points }, s) => {
    const i = points.findLastIndex(({ value }) => value !== null);
    return { s, i, y: frame.y(points[i]?.value ?? 0) };
  });
  const places: (Place | undefined)[] = series.map(() => undefined);
  let above = Infinity;
  for (const { s, i, y } of ends.filter((end) => end.i >= 0).sort((a, b) => b.y - a.y)) {
    above = Math.min(y, above - NUMBER_PX);
    places[s] = { x: frame.x(i) + frame.width / 2 + 6, y: above + 4 };
  }
  return places;
}

function EndNumber({ number, place: { x, y } }: { readonly number: number; readonly place: Place }) {
  return (
    <text class="end" x={x} y={y}>
      {number}
    </text>
  );
}
