// Accounts of the journal. A project gives each the code and the name that its own bookkeeping has.

/** In the order in which an entry has its lines. */
export const accountNames = [
  'bank',
  'receivable',
  'storeFees',
  'tax',
  'deferredRevenue',
  'revenue',
  'refunds',
  'exchangeDifference',
] as const;
export type AccountName = (typeof accountNames)[number];

/** Line of an entry. Debits are positive, credits negative; micros. */
export type JournalLine = { readonly account: AccountName; readonly micros: number };

/** `code`: in CSV files. `name`: in plain-text accounting, such as `Assets:Receivable:Stores`. */
export type Account = { readonly code: string; readonly name: string };
export type Accounts = Readonly<Record<AccountName, Account>>;

export const DEFAULT_ACCOUNTS: Accounts = {
  bank: { code: '1010', name: 'Assets:Bank' },
  receivable: { code: '1200', name: 'Assets:Receivable:Stores' },
  deferredRevenue: { code: '2400', name: 'Liabilities:Deferred-Revenue' },
  revenue: { code: '4000', name: 'Income:Revenue' },
  refunds: { code: '4900', name: 'Income:Refunds' },
  storeFees: { code: '5000', name: 'Expenses:Store-Fees' },
  tax: { code: '2200', name: 'Liabilities:Tax-Paid-By-Stores' },
  exchangeDifference: { code: '7000', name: 'Expenses:Exchange-Difference' },
};

/** Returns the accounts of a project, which may be of a time when there were fewer. */
export function accountsOf(chosen: Partial<Accounts> | null): Accounts {
  return { ...DEFAULT_ACCOUNTS, ...chosen };
}

/** Form of a code: what bookkeeping programs take, without control characters. */
export const ACCOUNT_CODE = /^[A-Za-z0-9][A-Za-z0-9 ._/-]{0,49}$/;
/** Form of an account in beancount: one of its five roots, then parts that begin with a capital or a digit. */
export const ACCOUNT_NAME = /^(Assets|Liabilities|Equity|Income|Expenses)(:[A-Z0-9][A-Za-z0-9-]{0,49}){1,8}$/;
