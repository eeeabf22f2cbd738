// The facts of the charts, exported at a terminal beside the service: charts.sql gives the figures that the service gives over HTTP.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { intervals } from '../../src/domain/charts/calendar.js';
import { charts } from '../../src/domain/charts/catalogue/catalogue.js';
import { openSqlCharts } from '../charts-sql/sql-answers.js';
import { queryOf, type QueryOptions } from '../domain/charts/run-query.js';
import { MONTHLY, notification, type Json } from '../http/support/harness.js';
import { createManualClock } from '../http/support/manual-clock.js';
import { setUpService } from '../http/support/setup.js';
import { subledger } from './command-line.js';

/** Not in the catalogue. */
const ANNUAL = 'com.example.app.pro.year';
const DAY_MS = 86_400_000;
const BEGIN = Date.parse('2026-01-01T00:00:00.000Z');
const iso = (ms: number) => new Date(ms).toISOString();
const day = (n: number) => BEGIN + n * DAY_MS + 36_000_000;
const AS_OF = iso(day(100));

type Selectors = NonNullable<QueryOptions['selectors']>;
type Variant = Pick<QueryOptions, 'segment' | 'filters'> & { readonly selectors?: Selectors };

describe('facts of the charts', function () {
  this.timeout(240_000);
  const clock = createManualClock(BEGIN);
  const { harness, slice } = setUpService({}, clock.runtime);
  const scratch = mkdtempSync(join(tmpdir(), 'facts-'));
  const folder = join(scratch, 'facts');
  const env = () => ({ DATA_DIR: harness.dataDir });
  const exportFacts = (...args: string[]) => subledger(['export-facts', ...args], env());
  after(() => rmSync(scratch, { recursive: true }));

  before(async () => {
    // Start day, period type and number of renewals of each customer.
    for (let n = 0; n < 12; n++) {
      const [start, isTrial, isYearly] = [1 + 4 * n, n % 3 === 0, n % 5 === 1];
      const trial = { offerType: 1, offerDiscountType: 'FREE_TRIAL', offerPeriod: 'P1W', price: 0 } as const;
      const first = isTrial ? { days: 7, ...trial } : { days: isYearly ? 365 : 30, price: 9990 };
      await notify(start, 'SUBSCRIBED', n, 1, first, isYearly ? ANNUAL : MONTHLY);
      let at = start + first.days;
      for (let k = 0; k < n % 4 && at < 100; k++, at += 30) {
        await notify(at, 'DID_RENEW', n, k + 2, { days: 30, price: 9990 + 500 * (k % 2) }, MONTHLY);
      }
      if (n % 4 === 2) await notify(at - 3, 'DID_CHANGE_RENEWAL_STATUS', n, 1, first, MONTHLY, 'AUTO_RENEW_DISABLED');
      if (n % 6 === 4) await notify(start + 10, 'REFUND', n, 1, { ...first, revoked: start + 10 }, MONTHLY);
    }
    clock.set(day(110));
    await harness.service().idle();
    const { code, stderr } = await exportFacts('--project', slice.projectId, '--to', folder, '--as-of', AS_OF);
    expect(code, stderr).to.equal(0);
  });

  async function notify(
    n: number,
    notificationType: string,
    customer: number,
    period: number,
    { days, revoked, ...terms }: { readonly days: number; readonly revoked?: number; readonly price: number },
    productId: string,
    subtype?: string,
  ): Promise<void> {
    clock.set(day(n));
    const purchased = revoked === undefined ? n : n - 10;
    const transaction = {
      ...{ transactionId: `${customer}00${period}`, originalTransactionId: `${customer}001`, productId, ...terms },
      ...{ purchaseDate: day(purchased), expiresDate: day(purchased + days) },
      storefront: customer % 2 === 0 ? 'USA' : 'DEU',
      ...(revoked !== undefined && { revocationDate: day(revoked), revocationReason: 0 as const }),
    };
    const fields = { notificationType, signedDate: day(n), transaction, ...(subtype !== undefined && { subtype }) };
    expect(await harness.call('POST', slice.notificationPath, notification(fields))).to.include({ status: 200 });
    await harness.service().idle();
  }

  it('give the figures that the service gives, for every chart and interval', async () => {
    const sql = await openSqlCharts(folder);
    const period = { start: iso(BEGIN), end: iso(BEGIN + 115 * DAY_MS), asOf: AS_OF };
    let withFigures = 0;
    for (const { id, selectors } of charts) {
      const variants: Variant[] = [{}, { segment: 'country' }, { filters: new Map([['country', new Set(['DE'])]]) }];
      if (!id.startsWith('customers_')) variants.push({ segment: 'productId' });
      if (selectors.includes('revenueType')) variants.push({ selectors: { revenueType: 'proceeds' } });
      if (selectors.includes('statusMeasure')) variants.push({ selectors: { statusMeasure: 'active_trials' } });
      if (selectors.includes('cohort')) variants.push({ selectors: { cohort: 'new_paying_customers' } });
      if (selectors.includes('customerLifetime')) variants.push({ selectors: { customerLifetime: 30 } });
      const asked: QueryOptions[] = [
        ...intervals.map((interval) => ({ ...period, interval })),
        ...variants.map((variant) => ({ ...period, interval: 'month' as const, ...variant })),
      ];
      for (const one of asked) {
        const found = await sql.ask(queryOf(id, one));
        const wanted = await overHttp(id, one);
        expect(found, `${id} of ${JSON.stringify(one)}`).to.deep.equal(wanted);
        if (/"(?!index)\w+":-?[1-9]/.test(JSON.stringify(wanted))) withFigures++;
      }
    }
    sql.close();
    expect(withFigures, 'answers with a figure besides 0').to.be.above(100);
  });

  async function overHttp(id: string, o: QueryOptions): Promise<unknown> {
    const endDate = iso(Date.parse(o.end) - DAY_MS).slice(0, 10);
    const filters = [...(o.filters ?? [])].map(([name, values]) => `&filter=${name}:${[...values].join(',')}`);
    const selectors = Object.entries(o.selectors ?? {}).map(([name, value]) => `&${name}=${value}`);
    const query = `startDate=${o.start.slice(0, 10)}&endDate=${endDate}&interval=${o.interval}&asOf=${o.asOf}`;
    const segment = o.segment === undefined ? '' : `&segment=${o.segment}`;
    const path = `/v1/projects/${slice.projectId}/metrics/charts/${id}?${query}${segment}${[...filters, ...selectors].join('')}`;
    const { status, body } = await harness.call('GET', path, undefined, { key: slice.secretKey });
    expect(status, body.message).to.equal(200);
    const shown = ({ buckets, rows }: Json) =>
      buckets ? { kind: 'series', buckets: buckets.map(unclipped) } : { kind: 'cohort', rows: rows.map(unclipped) };
    if (o.segment === undefined) return { all: shown(body) };
    return Object.fromEntries(Object.entries<Json>(body.segments).map(([value, one]) => [value, shown(one)]));
  }

  it('replace those of an earlier export, and no other files', async () => {
    const [before] = [readdirSync(folder).sort()];
    expect(before).to.include.members(['charts.sql', 'customers.parquet', 'money.parquet', 'stays.parquet']);
    const again = await exportFacts('--project', slice.projectId, '--to', folder, '--environment', 'sandbox');
    expect(again.code, again.stderr).to.equal(0);
    expect(again.stdout).to.include('purchases: 0 rows');
    expect(readdirSync(folder).sort()).to.deep.equal(before);
    const other = join(scratch, 'other');
    mkdirSync(other);
    writeFileSync(join(other, 'money.parquet'), 'mine');
    const refused = await exportFacts('--project', slice.projectId, '--to', other);
    expect(refused).to.include({ code: 1 });
    expect(refused.stderr).to.include('money.parquet').and.to.include('give a new or empty folder');
    expect(readFileSync(join(other, 'money.parquet'), 'utf8')).to.equal('mine');
    expect(readdirSync(other)).to.deep.equal(['money.parquet']);
  });

  const refusals: readonly [args: string[], code: number, message: RegExp][] = [
    [[], 2, /^give either DIR, or --to FOLDER/],
    [['--to', 'x'], 2, /^--to requires --project ID/],
    [['--to', 'x', '--project', 'proj_none'], 1, /^project proj_none not found; GET \/v1\/projects lists/],
    [['--to', 'x', '--project', 'p', '--format', 'csv'], 2, /^--format csv requires DIR/],
    [['--to', 'x', '--project', 'p', '--as-of', 'today'], 2, /^--as-of today: give an instant such as/],
    [['x', '--as-of', '2026-01-02'], 2, /^--environment and --as-of require --to FOLDER/],
  ];
  for (const [args, code, message] of refusals) {
    it(`refuse "${args.join(' ')}"`, async () => {
      const ended = await exportFacts(...args);
      expect(ended.stderr).to.match(message);
      expect(ended.code).to.equal(code);
    });
  }

  it('refuse an instant of which nothing is known', async () => {
    const asOf = (instant: string) =>
      exportFacts('--project', slice.projectId, '--to', join(scratch, 'x'), '--as-of', instant);
    expect((await asOf('2999-01-01')).stderr).to.include('is in the future; omit it for the current time');
    expect((await asOf('2001-01-01')).stderr).to.include('is before the project was created');
    expect(existsSync(join(scratch, 'x'))).to.equal(false);
  });
});

function unclipped({ clipped: _, ...rest }: Json): Json {
  return rest;
}
