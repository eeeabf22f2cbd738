// Words of the books: causes of a difference, kinds of reports, and apps.
import { api, unwrap } from '../api/client';
import { useQuery } from '../api/query';
import { useProject } from '../context/project';
import { query } from '../context/router';

const CAUSES: Readonly<Record<string, readonly [name: string, meaning: string]>> = {
  matched: ['Agrees', 'Ours and the store’s are equal.'],
  timing: ['Another month', 'The same charge stands in another month, or up to two days apart.'],
  awaiting_report: ['Waits for a report', 'No report has it yet. Add the report of this month.'],
  partial_refund: ['Partial refund', 'The refunded amounts differ. The store’s is right.'],
  price: ['Price', 'The prices differ, or ours is unknown.'],
  tax: ['Tax', 'The prices agree, the tax does not: ours is an estimate.'],
  commission: ['Store fee', 'Price and tax agree, the fee does not. Check the small-business setting of the app.'],
  free: ['Free', 'A line without money.'],
  missing_here: ['Only at the store', 'It was not recorded here: a notification was lost.'],
  missing_there: ['Only here', 'No report has it 62 days after the month, or none will come.'],
  not_collected: [
    'Never collected',
    'Its payment failed, and no report has it 62 days after the month, or none will come.',
  ],
  double: ['Twice at the store', 'Reports of two accounts have the same line.'],
  other_app: ['Another app', 'Of an app that is not in this project.'],
  unexplained: ['Unexplained', 'A type of line that is not known here.'],
};

export function causeName(cause: string): string {
  return CAUSES[cause]?.[0] ?? cause;
}

export function causeMeaning(cause: string): string {
  return CAUSES[cause]?.[1] ?? '';
}

const REPORTS: Readonly<Record<string, string>> = {
  earnings: 'Earnings, Play',
  sales: 'Sales, Play',
  finance_detail: 'Finance detail, App Store',
  financial: 'Financial, App Store',
  payments: 'Payments, App Store',
};

export function reportName(kind: string): string {
  return REPORTS[kind] ?? kind;
}

const MONTH = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** Returns the part of a URL that keeps the instant of the page; nothing for now. */
export function asOfSearch(): string {
  const asOf = query.value.get('asOf');
  return asOf === null ? '' : `?${new URLSearchParams({ asOf }).toString()}`;
}

/** Formats `2026-10` as `October 2026`. */
export function monthName(month: string): string {
  return MONTH.format(new Date(`${month}-01T00:00:00Z`));
}

/** Returns the name of each app by its ID. */
export function useAppNames(): (appId: string | null) => string {
  const { project } = useProject();
  const apps = useQuery(`app-names|${project.id}`, async (signal) => {
    const params = { path: { id: project.id } };
    return (await unwrap(api.GET('/v1/projects/{id}/apps', { params, signal }))).items;
  });
  const names = new Map(apps.data?.map(({ id, name }) => [id, name]));
  return (appId) => (appId === null ? 'No app of this project' : (names.get(appId) ?? appId));
}

/** Formats a decimal text with the currency: the digits are those of the text. */
export function amountText(amount: string | undefined, currency: string): string {
  if (amount === undefined) return '–';
  const [units = '0', fraction] = amount.split('.');
  const grouped = units.replace(/\B(?=(\d{3})+$)/g, ',');
  return `${grouped}${fraction === undefined ? '' : `.${fraction}`} ${currency}`;
}
