// The block of totals at the end of the ios-store's reports: rows in all, then proceeds by country and currency, or in all.
import { refused } from './refusal.js';
import { printAmount, readAmount } from './report-values.js';

/** Proceeds of the lines of one country and currency, less those of returns. */
export type CountrySum = { readonly country: string; readonly currency: string; readonly micros: number };

export type FooterCheck = {
  add(row: number, cells: readonly string[]): void;
  /** Throws {@link Rejection} if the lines do not add up to what the block of totals states. */
  check(sums: readonly CountrySum[], lines: number): void;
};

type Places = { readonly country: number; readonly currency: number; readonly paid: number };

/** Reads the block of totals. Where it names the countries as the lines do, each country is checked, else each currency. */
export function createFooterCheck(): FooterCheck {
  let statedRows: number | null = null;
  let statedAmount: number | null = null;
  let places: Places | null = null;
  const stated: CountrySum[] = [];
  const readTotal = (row: number, text: string | undefined): number => {
    const micros = readAmount((text ?? '').trim());
    if (micros === null) throw refused(`line ${row}: the total is no amount; no line was added`);
    return micros;
  };
  return {
    add: (row, cells) => {
      const names = cells.map((cell) => cell.trim().toLowerCase());
      if (names[0] === 'total_rows') statedRows = readTotal(row, cells[1]) / 1_000_000;
      if (names[0] === 'total_amount') statedAmount = readTotal(row, cells[1]);
      const paid = names.indexOf('extended partner share');
      if (paid >= 0) {
        places = { country: 0, currency: names.indexOf('partner share currency'), paid };
        return;
      }
      if (!places || places.currency < 0 || cells.length <= places.paid) return;
      const textAt = (place: number) => (cells[place] ?? '').trim();
      const micros = readTotal(row, cells[places.paid]);
      stated.push({ country: textAt(places.country), currency: textAt(places.currency), micros });
    },
    check: (sums, lines) => {
      if (statedRows !== null && statedRows !== lines)
        throw refused(`the file states ${statedRows} rows and has ${lines}: it was cut or edited; download it again`);
      const countries = new Set(sums.map(({ country }) => country));
      const byCountry = stated.every(({ country }) => countries.has(country));
      const groupOf = ({ country, currency }: CountrySum) => (byCountry ? `${country}|${currency}` : currency);
      compareSums(addUp(stated, groupOf), addUp(sums, groupOf), byCountry);
      const [only, ...others] = new Set(sums.map(({ currency }) => currency));
      if (statedAmount === null || only === undefined || others.length > 0) return;
      compareSums(
        new Map([[only, statedAmount]]),
        addUp(sums, ({ currency }) => currency),
        false,
      );
    },
  };
}

function addUp(sums: readonly CountrySum[], groupOf: (sum: CountrySum) => string): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const sum of sums) found.set(groupOf(sum), (found.get(groupOf(sum)) ?? 0) + sum.micros);
  return found;
}

function compareSums(stated: ReadonlyMap<string, number>, sums: ReadonlyMap<string, number>, byCountry: boolean): void {
  for (const [group, micros] of stated) {
    const sum = sums.get(group) ?? 0;
    if (sum === micros) continue;
    const [first = '', second = ''] = group.split('|');
    const [currency, where] = byCountry ? [second, ` of ${first}`] : [first, ''];
    const [found, expected] = [printAmount(sum, currency), printAmount(micros, currency)];
    throw refused(
      `the lines${where} add up to ${found} ${currency}, and the file states ${expected}; download it again`,
    );
  }
}
