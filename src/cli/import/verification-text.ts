// Result of a verification of imports as text: how many purchases agree with their stores, and what to do about the others.
import type { VerdictCount } from '../../commands/imports/verification-records.js';
import {
  verificationClasses,
  type VerificationClass,
  type VerificationReason,
} from '../../domain/imports/verification.js';

const meanings: Readonly<Record<VerificationClass, string>> = {
  agrees: 'the store reports what was imported',
  store_knew_more: 'the store reported more, which is recorded now',
  store_forgot: 'the store does not know them any more, and what was imported stays',
  store_contradicts: 'the store reports something else',
  unknown_to_store: 'the store does not know them',
  could_not_ask: 'the store could not be asked',
};

export const adviceFor: Readonly<Record<VerificationReason, string>> = {
  access_end:
    'access ends at another time; the store counts where it extends or ends a subscription: run subledger compare access',
  price: 'another price; a recorded price is never replaced: check the columns of price and currency in the export',
  purchase_time: 'bought at another time; the recorded time stays: check the time zone of the export',
  refund: 'refunded in the export, and not at the store: check the refund with the store’s order management',
  transaction:
    'the store lists other transactions of the subscription: check which app and customer the row belongs to',
  not_found: 'check that the purchase belongs to this app and environment',
  ended_long_ago: 'nothing to do: stores delete purchases that ended more than 60 days ago',
  no_credentials: 'add the app’s store credentials for this environment, then run the command again',
  forbidden: 'the store refused the app’s credentials: run subledger doctor, correct them, then run the command again',
  no_token: 'import a file with user_id, google_purchase_token, google_product_id, then run the command again',
  unproven:
    'the signature of the store’s response is invalid for this app: check its bundle ID and the root certificate',
  app_deleted: 'the app was deleted: register it again and import again',
  moved: 'the purchase got another customer in the meantime: run the command again',
};

const count = (n: number) => n.toLocaleString('en-US');

/** `verdicts`: with app user IDs. */
export function describeVerification(verdicts: readonly VerdictCount[], unexplained: number): readonly string[] {
  const lines = verdicts.reduce((sum, one) => sum + one.count, 0);
  if (lines === 0) return ['No imported purchases: there is nothing to verify.'];
  const names = Object.keys(verificationClasses) as VerificationClass[];
  const sorted = names.flatMap((name) => verdicts.filter((one) => one.class === name));
  return [
    `${count(lines)} imported purchases compared with their stores.`,
    ...sorted.flatMap(describeVerdict),
    '',
    `${count(unexplained)} differences are unexplained.`,
  ];
}

function describeVerdict({ class: name, reason, count: n, customers }: VerdictCount): readonly string[] {
  const mark = verificationClasses[name] ? '' : ' (UNEXPLAINED)';
  const head = `${name}${mark}: ${count(n)} — ${meanings[name]}`;
  if (reason === null) return ['', head];
  return ['', `${head}; ${reason}: ${adviceFor[reason]}`, ...customers.map((id) => `  ${id}`)];
}
