// Why a look at the report server of a store brought nothing, or not all.

/**
 * `key_refused`: the store does not know the key. `role_missing`, `bucket_forbidden`: it knows the key, which may not read reports.
 * `agreement_missing`: somebody has to sign at the store first. `vendor_unknown`, `bucket_unknown`: nothing is under that name.
 * `credentials_missing`: the app's own credentials, by which the look is done, are not registered. `report_unreadable`, `report_too_large`: of one report;
 * the others were read. `unavailable`: the store did not answer. `unfinished`: a bound of the look was reached, and the next one goes on.
 */
export const lookProblems = [
  'key_refused',
  'role_missing',
  'agreement_missing',
  'vendor_unknown',
  'bucket_forbidden',
  'bucket_unknown',
  'credentials_missing',
  'report_unreadable',
  'report_too_large',
  'unavailable',
  'unfinished',
] as const;
export type LookProblem = (typeof lookProblems)[number];
