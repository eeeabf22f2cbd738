// A chart as another service reports it, in US dollars.

/** `at`: start of the bucket or cohort, UTC ms. `measure`: place in `measures`. `period`: age of a cohort in intervals, else null. */
export type VendorPoint = {
  readonly at: number;
  readonly measure: number;
  readonly period: number | null;
  readonly value: number | null;
  readonly incomplete: boolean;
};

/** `measures`: names, as the service shows them; empty if it names none. */
export type VendorChart = { readonly measures: readonly string[]; readonly points: readonly VendorPoint[] };
