// How every table that the product writes is written.

/**
 * Options of csv-stringify. A text that a spreadsheet would take for a formula (it begins with `=`, `+`, `-`, `@`, a tab or a return) gets
 * an apostrophe before it: app user ids and names are whatever somebody sent. Numbers stay numbers.
 */
export const csvRules = { cast: { boolean: String }, escape_formulas: true } as const;
