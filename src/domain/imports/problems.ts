// Rows of an import that cannot be imported as they are.
import type { ImportedRow } from '../envelope.js';
import type { ImportedFact } from './facts.js';

/** Reasons for which a row, or a part of it, is left out or needs attention. */
export const importProblems = {
  unreadable: 'the row cannot be read',
  'no-app': 'the project has no app of this store',
  'several-apps': 'several apps of this store could have sold the product; name the app',
  'unknown-product': 'the product is not in the catalogue, so that it unlocks nothing',
  'unknown-entitlement': 'the entitlement does not exist',
  'entitlement-differs': 'gives access to an entitlement where it comes from, and its product does not unlock it here',
  sandbox: 'a sandbox purchase; left out by default',
  'other-store': 'bought in a store that this service does not connect to',
  'other-store-active': 'bought in a store that this service does not connect to, and gives access now',
  'never-started': 'the purchase ended before it started; the store had cancelled it',
  unanchored: 'no purchase token is known; the subscription is joined when the store names it',
  'refund-time-missing': 'the purchase is refunded, and its source does not state when; it is left out',
  'first-transaction-missing':
    'the source does not name the first transaction of the subscription, by which its store names it; it is left out',
  'ended-since-export':
    'the period ended after the files were written, so that they do not tell whether it was renewed',
  'end-missing': 'the source states no end of the purchase, and its product has no duration here; it is left out',
  'price-unknown': 'the price is unknown; a store message can fill it in',
  'attribute-cut': 'an attribute is not allowed here, or too long',
  erased: 'the customer was erased here; nothing is recorded',
  'too-many-rows': 'one customer, or one of its subscriptions, has more rows than an import takes; it is left out',
  'ambiguous-name': 'a name of several customers; it is left out, and they are not merged',
  'moved-purchase': 'a newer row gives the purchase to another customer, who has it now',
  'owned-here': 'the purchase belongs to another customer here, by a receipt or a newer row; it stays there',
} as const;
export type ImportProblemCode = keyof typeof importProblems;
export type ImportProblem = {
  readonly code: ImportProblemCode;
  readonly from: ImportedRow;
  /** Name of what is concerned, such as a product. */
  readonly detail: string;
};

/** Row of a file, as texts by column; a missing or empty value is null. */
export type FileRow = { readonly from: ImportedRow; readonly values: Readonly<Record<string, string | null>> };

/** Facts of a row. A row that cannot be read has only problems. */
export type ReadRow = {
  readonly facts: readonly ImportedFact[];
  readonly problems: readonly ImportProblem[];
  /** Time up to which the file knows renewals, where a row states it (ISO 8601 UTC). */
  readonly writtenAt?: string;
};
