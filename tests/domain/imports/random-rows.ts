// Rows of RevenueCat's export about one random customer of both stores: trials, offers, grace periods, refunds in part and in full, changes of
// product and purchases after an end. Orders of the android-store have no purchase token, and prices in euros their value in US dollars.
import { addDuration, isoFromMs } from '../../../src/domain/time.js';
import { dayMs, DAY_MS } from '../../commands/stores/ios/samples.js';
import type { Chance } from '../../projections/support/seeded-random.js';
import type { Row } from './exported-rows.js';

const PRODUCTS = ['app.monthly', 'app.yearly'] as const;
const DURATIONS = { 'app.monthly': 'P1M', 'app.yearly': 'P1Y' } as const;

const timeOf = (iso: string) => iso.slice(0, 19).replace('T', ' ');
const after = (iso: string, days: number) => isoFromMs(Math.floor((Date.parse(iso) + days * DAY_MS) / 1000) * 1000);

export function randomRows({ below }: Chance, now: string): readonly Row[] {
  const random = () => below(1e9) / 1e9;
  const isIos = random() < 0.5;
  const rows: Row[] = [];
  let product: (typeof PRODUCTS)[number] = random() < 0.8 ? 'app.monthly' : 'app.yearly';
  let [start, place, line] = [after(isoFromMs(dayMs(0)), random() * 600), 0, 1];
  /** Another purchase of the android-store has an order of its own; the ios-store goes on with the first transaction. */
  const buyAgain = (days: number) => {
    start = after(start, days);
    if (!isIos) [place, line] = [0, line + 1];
  };
  while (start < now && rows.length < 20) {
    const isTrial = place === 0 && random() < 0.3;
    const end = isTrial ? after(start, 7) : addDuration(start, DURATIONS[product]);
    const days = (Date.parse(end) - Date.parse(start)) / DAY_MS;
    const first = isIos ? '1000' : `GPA.${line}`;
    const id = isIos ? `${1000 + rows.length}` : place === 0 ? first : `${first}..${place - 1}`;
    const [price, currency, usd] = isTrial ? ['0', 'EUR', '0'] : ['8', 'EUR', '9.25'];
    const row: Record<string, string | null> = {
      ...{ rc_original_app_user_id: 'alice', store: isIos ? 'app_store' : 'play_store', product_identifier: product },
      ...{ start_time: timeOf(start), end_time: timeOf(end), is_auto_renewable: 'true', is_trial_period: `${isTrial}` },
      ...{ is_in_intro_offer_period: `${!isTrial && place === 0 && random() < 0.2}` },
      ...{ product_duration: DURATIONS[product], renewal_number: `${place + 1}`, purchased_currency: currency },
      ...{ purchase_price_in_purchased_currency: price, price_in_purchased_currency: price },
      ...{ purchase_price_in_usd: usd, price_in_usd: usd, country: 'DE', tax_percentage: '0.16' },
      ...{ store_transaction_id: id, original_store_transaction_id: first },
    };
    rows.push(row);
    place += 1;
    const cancelledAt = after(start, days * random());
    if (random() < 0.2 && cancelledAt < now) row['unsubscribe_detected_at'] = timeOf(cancelledAt);
    const refundedAt = after(start, days * 1.2 * random());
    if (!isTrial && random() < 0.15 && refundedAt < now) {
      const isPart = random() < 0.4;
      Object.assign(row, { refunded_at: timeOf(refundedAt), price_in_purchased_currency: isPart ? '3' : '0' });
      if (!isPart) {
        buyAgain(days * 1.2 + 1 + random() * 30);
        continue;
      }
    }
    const passage = random();
    if (passage < 0.6) start = end;
    else if (passage < 0.7) {
      product = product === 'app.monthly' ? 'app.yearly' : 'app.monthly';
      if (isIos) start = end;
      else buyAgain(days);
    } else if (passage < 0.85) {
      const hasGrace = random() < 0.5;
      const failedAt = after(end, 0.01);
      if (failedAt >= now) break;
      const failed = { billing_issues_detected_at: timeOf(failedAt) };
      Object.assign(row, failed, hasGrace && { grace_period_end_time: timeOf(after(end, 6)) });
      start = after(end, 7 + random() * 40);
    } else buyAgain(days + 1 + random() * 60);
  }
  return rows;
}
