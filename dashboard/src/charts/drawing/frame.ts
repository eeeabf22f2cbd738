// Scales of a chart, from positions and values of its series to coordinates of the SVG.
export type Frame = {
  readonly x: (index: number) => number;
  readonly width: number;
  readonly y: (value: number) => number;
  readonly hatch: string;
};
