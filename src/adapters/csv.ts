// CSV format of all exported tables.

/**
 * Options of csv-stringify. Text that a spreadsheet would interpret as a formula (it starts with `=`, `+`, `-`, `@`, a tab or a carriage
 * return) gets an apostrophe in front, because app user IDs and names are arbitrary input. Numbers stay numbers.
 */
export const csvRules = { cast: { boolean: String }, escape_formulas: true } as const;
