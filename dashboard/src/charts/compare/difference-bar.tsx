// Bar of a difference: a gain to the right of the middle, a loss to the left.
const WIDTH = 120;
const HEIGHT = 8;
const MIDDLE = WIDTH / 2;

/** `most` is the largest absolute difference beside it. */
export function DifferenceBar({ value, most }: { readonly value: number; readonly most: number }) {
  const length = most === 0 ? 0 : (Math.abs(value) / most) * MIDDLE;
  return (
    <svg class="difference-bar" width={WIDTH} height={HEIGHT} aria-hidden="true">
      <rect
        class={value < 0 ? 'loss' : 'gain'}
        x={value < 0 ? MIDDLE - length : MIDDLE}
        width={length}
        height={HEIGHT}
      />
      <line x1={MIDDLE} x2={MIDDLE} y1="0" y2={HEIGHT} />
    </svg>
  );
}
