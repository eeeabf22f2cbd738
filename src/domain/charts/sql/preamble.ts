// Preamble of all chart statements: the query as variables, the tables of the export, and views that apply the query to them.
import { chartFactTableNames, chartFactTables, keyColumns } from '../facts/chart-facts.js';

/** Instants in DuckDB format, UTC, such as `2026-01-01 00:00:00`. */
export type SqlQuery = { readonly asOf: string; readonly start: string; readonly end: string };

export function preambleOf(question: SqlQuery): string {
  return [queryText(question), tablesText(), MACROS, BUCKETS, PURCHASES, CUSTOMERS, FACTS].join('\n\n');
}

function queryText({ asOf, start, end }: SqlQuery): string {
  const variables: readonly (readonly [name: string, value: string, means: string])[] = [
    ['folder', "coalesce(getvariable('folder'), '.')", 'folder of the Parquet files; set it first to use another'],
    ['as_of', `TIMESTAMP '${asOf}'`, 'instant of the export: the files contain nothing later'],
    ['period_start', `TIMESTAMP '${start}'`, 'all times are UTC'],
    ['period_end', `TIMESTAMP '${end}'`, 'first instant after the period'],
    ['interval', "'month'", 'day, week, month, quarter or year'],
    ['filters', 'MAP {}', "such as MAP {'store': ['ios-store'], 'country': ['US', 'null']}"],
    [
      'segment',
      'NULL',
      'store, appId, productId, productDuration, offeringId, offerType, startReason, country or platform',
    ],
    ['revenue_type', "'revenue'", 'revenue, revenue_net_of_taxes or proceeds'],
    ['conversion_timeframe', 'NULL', 'days; NULL without end'],
    ['customer_lifetime', 'NULL', 'days; NULL without end'],
    ['status_measure', "'actives'", 'actives, active_trials, mrr or arr'],
    ['product_duration', "'P1M'", 'for subscription_retention'],
    ['cohort', "'new_customers'", 'new_customers, initial_conversions or new_paying_customers'],
    ['cohort_measure', "'revenue'", 'revenue, realized_ltv, realized_ltv_per_customer or retained_subscriptions'],
  ];
  const statements = variables.map(([name, value]) => `SET VARIABLE ${name} = ${value};`);
  const width = Math.max(...statements.map((statement) => statement.length));
  const lines = statements.map((statement, i) => `${statement.padEnd(width)}  -- ${variables[i]?.[2]}`);
  return ['-- 1. The query. Change a variable at any time: every chart uses it.', '', ...lines].join('\n');
}

function tablesText(): string {
  const views = chartFactTableNames.map((name) => {
    const { means, columns } = chartFactTables[name];
    const width = Math.max(...columns.map((column) => column.name.length));
    const lines = columns
      .filter((column) => !keyColumns.includes(column))
      .map((column) => `--   ${column.name.padEnd(width)}  ${column.means}`);
    const view = `CREATE OR REPLACE VIEW ${name} AS FROM read_parquet(getvariable('folder') || '/${name}.parquet');`;
    return [`-- ${name}: ${means}.`, ...lines, view].join('\n');
  });
  const keys = keyColumns.map(({ name, means }) => `--   ${name.padEnd(14)}  ${means}`);
  return [['-- 2. The facts. Times are UTC, amounts are US dollars. The keys:', ...keys].join('\n'), ...views].join(
    '\n\n',
  );
}

const MACROS = `-- 3. Short names

CREATE OR REPLACE MACRO as_of() AS getvariable('as_of')::TIMESTAMP;
CREATE OR REPLACE MACRO period_start() AS getvariable('period_start')::TIMESTAMP;
CREATE OR REPLACE MACRO period_end() AS least(getvariable('period_end')::TIMESTAMP, as_of());
CREATE OR REPLACE MACRO segment() AS getvariable('segment')::VARCHAR;

-- n calendar intervals; from the end of a month to the end of a shorter one.
CREATE OR REPLACE MACRO intervals(n) AS n::INTEGER * ('1 ' || getvariable('interval'))::INTERVAL;
-- The number of whole intervals between two instants.
CREATE OR REPLACE MACRO intervals_between(since, until) AS date_sub(getvariable('interval'), since, until);
-- The months and days of an ISO 8601 duration such as P1M or P2W.
CREATE OR REPLACE MACRO months_of(duration) AS
  12 * coalesce(try_cast(regexp_extract(duration, '([0-9]+)Y', 1) AS INTEGER), 0)
     + coalesce(try_cast(regexp_extract(duration, '([0-9]+)M', 1) AS INTEGER), 0);
CREATE OR REPLACE MACRO days_of(duration) AS
   7 * coalesce(try_cast(regexp_extract(duration, '([0-9]+)W', 1) AS INTEGER), 0)
     + coalesce(try_cast(regexp_extract(duration, '([0-9]+)D', 1) AS INTEGER), 0);

-- The renewals of subscriptions of product_duration: the due date of the k-th one by the calendar, and an upper bound of those due by now.
CREATE OR REPLACE MACRO renewal_months() AS months_of(getvariable('product_duration'));
CREATE OR REPLACE MACRO renewal_days() AS days_of(getvariable('product_duration'));
CREATE OR REPLACE MACRO due_at(first_payment, k) AS
  first_payment + to_months((k * renewal_months())::INTEGER) + to_days((k * renewal_days())::INTEGER);
CREATE OR REPLACE MACRO max_renewals(first_payment) AS
  2 + date_diff('day', first_payment, as_of()) // (28 * renewal_months() + renewal_days());

-- True if an instant is within a number of days after a customer's first day, that day included; NULL for no limit.
CREATE OR REPLACE MACRO is_within(instant, first_seen, days) AS
  days IS NULL OR instant < date_trunc('day', first_seen) + to_days(days::INTEGER + 1);
-- True if a customer of the bucket can still change its value.
CREATE OR REPLACE MACRO is_open(bucket_end, days) AS greatest(
  bucket_end, date_trunc('day', bucket_end - INTERVAL 1 MILLISECOND) + to_days(days::INTEGER + 1)
) > as_of();

-- Numbers as displayed in the charts: dollars and percent with two decimals, halves away from zero. A ratio of nothing is NULL; ratios are made of
-- whole numbers, since binary fractions would round some halves down.
CREATE OR REPLACE MACRO usd(amount) AS round(coalesce(amount, 0), 2)::DECIMAL(38, 2);
CREATE OR REPLACE MACRO hundredths(part, whole) AS
  CASE WHEN whole <> 0 THEN sign(part) * ((2 * abs(part) + whole) // (2 * whole)) * 0.01 END::DECIMAL(38, 2);
CREATE OR REPLACE MACRO percent(part, whole) AS hundredths((10000 * part)::HUGEINT, whole);
CREATE OR REPLACE MACRO usd_per(amount, number) AS hundredths((1000000 * coalesce(amount, 0))::HUGEINT, 10000 * number);

-- The part of an amount that the variable revenue_type selects.
CREATE OR REPLACE MACRO revenue_part(revenue, net_of_taxes, proceeds) AS
  CASE getvariable('revenue_type')
    WHEN 'proceeds' THEN proceeds
    WHEN 'revenue_net_of_taxes' THEN net_of_taxes
    ELSE revenue
  END;

-- True if values by name match the filters; a filter on another name has no effect. An unknown value is the text 'null'.
CREATE OR REPLACE MACRO filters() AS getvariable('filters')::MAP(VARCHAR, VARCHAR[]);
CREATE OR REPLACE MACRO fits(dimensions) AS cardinality(filters()) = 0 OR coalesce(list_bool_and([
  list_contains(filter.value, coalesce(dimensions[filter.key], 'null'))
  FOR filter IN map_entries(filters()) IF map_contains(dimensions, filter.key)
]), true);
-- The segment of the values; 'all' without segments.
CREATE OR REPLACE MACRO segment_in(dimensions) AS
  CASE WHEN segment() IS NULL THEN 'all' ELSE coalesce(dimensions[segment()], 'null') END;`;

const BUCKETS = `-- 4. The period, cut into calendar buckets. A bucket contains what happens at or after bucket_start and before horizon.

CREATE OR REPLACE VIEW buckets AS
SELECT greatest(calendar_start, period_start()) AS bucket_start,
       least(calendar_start + intervals(1), getvariable('period_end')::TIMESTAMP) AS bucket_end,
       least(bucket_end, as_of()) AS horizon
FROM (
  SELECT unnest(generate_series(
    date_trunc(getvariable('interval'), period_start()), period_end(), intervals(1)
  )) AS calendar_start
)
WHERE calendar_start < period_end();

-- The start of the bucket of an instant; NULL outside the period.
CREATE OR REPLACE MACRO bucket_of(instant) AS
  CASE WHEN instant >= period_start() AND instant < period_end()
    THEN greatest(date_trunc(getvariable('interval'), instant), period_start())
  END;`;

const PURCHASES = `-- 5. For charts of purchases: the purchases that match the filters, and the segment of each.

CREATE OR REPLACE VIEW purchases_in_segments AS
SELECT customer_id, purchase_id, product_duration, segment_in(dimensions) AS segment
FROM (
  SELECT purchases.*, MAP {
    'store': store, 'appId': app_id, 'productId': product_id, 'productDuration': product_duration,
    'offeringId': offering_id, 'offerType': offer_type, 'startReason': start_reason,
    'country': purchases.country, 'platform': platform
  } AS dimensions
  FROM purchases JOIN customers USING (customer_id)
)
WHERE fits(dimensions);

CREATE OR REPLACE VIEW purchase_segments AS
SELECT 'all' AS segment WHERE segment() IS NULL
UNION SELECT segment FROM purchases_in_segments
UNION SELECT coalesce(platform, 'null') FROM customers WHERE segment() = 'platform' AND fits(MAP {'platform': platform});

-- Every bucket of every segment, even without data.
CREATE OR REPLACE VIEW purchase_buckets AS FROM buckets CROSS JOIN purchase_segments;`;

const CUSTOMERS = `-- 6. For charts of customers: the customers that match the filters, and the segments of each. The country is the customer's own.
--    Purchase filters select purchases, not customers: every customer counts in every segment of purchases.

CREATE OR REPLACE VIEW selected_customers AS
SELECT customer_id, first_seen, CASE segment()
         WHEN 'country' THEN coalesce(country, 'null')
         WHEN 'platform' THEN coalesce(platform, 'null')
       END AS own_segment
FROM customers
WHERE fits(MAP {'country': country, 'platform': platform});

-- Their purchases that match the filters.
CREATE OR REPLACE VIEW customer_purchases AS
SELECT customer_id, purchase_id, coalesce(own_segment, segment_in(dimensions)) AS segment
FROM (
  SELECT customer_id, purchase_id, MAP {
    'store': store, 'appId': app_id, 'productId': product_id, 'productDuration': product_duration,
    'offeringId': offering_id, 'offerType': offer_type, 'startReason': start_reason
  } AS dimensions
  FROM purchases
)
JOIN selected_customers USING (customer_id)
WHERE fits(dimensions);

CREATE OR REPLACE VIEW customer_segments AS
SELECT 'all' AS segment WHERE segment() IS NULL
UNION SELECT own_segment FROM selected_customers WHERE own_segment IS NOT NULL
UNION SELECT segment FROM customer_purchases;

CREATE OR REPLACE VIEW customers_in_segments AS
SELECT customer_id, segment, first_seen, bucket_of(first_seen) AS bucket_start
FROM selected_customers JOIN customer_segments ON own_segment IS NULL OR own_segment = segment;

CREATE OR REPLACE VIEW customer_buckets AS FROM buckets CROSS JOIN customer_segments;`;

const FACTS = `-- 7. Live time of the selected purchases.

-- Stretches of live time. Paid time is that of introductory and standard periods.
CREATE OR REPLACE VIEW live_time AS
SELECT segment, customer_id, purchase_id, transaction_id, period_type, live_from, live_to, renewal,
       CASE period_type WHEN 'trial' THEN 'trial' ELSE 'paid' END AS kind,
       revenue_part(mrr, mrr_net_of_taxes, mrr_proceeds) AS mrr
FROM stays JOIN purchases_in_segments USING (customer_id, purchase_id);

-- Subscriptions live at the end of each bucket, including those that end at that instant, not those that start at it.
CREATE OR REPLACE VIEW live_at_bucket_end AS
SELECT bucket_start, live_time.* FROM buckets JOIN live_time ON live_from < horizon AND horizon <= live_to;

-- Changes of live time. Adjacent stretches are one stay. Its start is 'new' for the first stay of a subscription and 'back' for later ones,
-- its end is 'out'; a 'step' is a change of price within it, and its mrr the difference.
CREATE OR REPLACE VIEW stay_events AS
WITH stretches AS (
  SELECT *, lag(live_to) OVER own AS ended_before, lag(mrr) OVER own AS mrr_before,
         lead(live_from) OVER own AS begins_after, row_number() OVER own AS number
  FROM live_time
  WINDOW own AS (PARTITION BY customer_id, purchase_id, kind ORDER BY live_from)
)
SELECT bucket_of(live_from) AS bucket_start, segment, customer_id, purchase_id, kind, period_type, live_from AS happened_at,
       CASE WHEN number = 1 THEN 'new' ELSE 'back' END AS event, mrr
FROM stretches WHERE ended_before IS DISTINCT FROM live_from
UNION ALL
SELECT bucket_of(live_to), segment, customer_id, purchase_id, kind, period_type, live_to, 'out', mrr
FROM stretches WHERE begins_after IS DISTINCT FROM live_to
UNION ALL
SELECT bucket_of(live_from), segment, customer_id, purchase_id, kind, period_type, live_from, 'step', mrr - mrr_before
FROM stretches WHERE ended_before = live_from AND mrr <> mrr_before;`;
