// Legend of values that are not complete yet: the same in drawings and cohort tables.
export function IncompleteLegend() {
  return (
    <span class="incomplete-legend">
      <span class="swatch incomplete" aria-hidden="true" /> Not complete yet
    </span>
  );
}
