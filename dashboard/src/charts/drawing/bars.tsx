// Stacked bars: positive values upwards, negative values downwards.
import type { Series } from '../data/series';
import type { Frame } from './frame';

export function Bars({ series, frame }: { readonly series: readonly Series[]; readonly frame: Frame }) {
  const buckets = series[0]?.points.length ?? 0;
  return (
    <>
      {Array.from({ length: buckets }, (_, i) => {
        let [up, down] = [0, 0];
        return series.map((one, s) => {
          const { value = null, isIncomplete } = one.points[i] ?? { isIncomplete: false };
          if (value === null || value === 0) return null;
          const from = value > 0 ? up : down;
          if (value > 0) up += value;
          else down += value;
          const [top, bottom] = [frame.y(Math.max(from, from + value)), frame.y(Math.min(from, from + value))];
          const box = { x: frame.x(i), y: top, width: frame.width, height: Math.max(1, bottom - top) };
          return (
            <g key={`${one.id}${i}`}>
              <rect class={`fill c${s + 1}`} {...box} />
              {isIncomplete && <rect fill={`url(#${frame.hatch})`} {...box} />}
            </g>
          );
        });
      })}
    </>
  );
}
