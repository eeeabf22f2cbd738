// Sparkline of a figure; the chart itself has axes and a table.
const WIDTH = 200;
const HEIGHT = 40;

export function Sparkline({ values, label }: { readonly values: readonly number[]; readonly label: string }) {
  if (values.length < 2) return <div class="sparkline" />;
  const [low, high] = [Math.min(...values, 0), Math.max(...values, 0)];
  const span = high - low || 1;
  const points = values.map((value, i) => {
    const x = (i / (values.length - 1)) * WIDTH;
    return `${x.toFixed(1)},${(HEIGHT - 3 - ((value - low) / span) * (HEIGHT - 6)).toFixed(1)}`;
  });
  return (
    <svg class="sparkline" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
      <polyline points={points.join(' ')} />
    </svg>
  );
}
