// SQL of the charts of customers and of cohorts, by chart.

export const customerStatements = {
  customers_new: `SELECT segment, bucket_start, bucket_end,
       count(customer_id) AS new_customers,
       bucket_end > as_of() AS incomplete
FROM customer_buckets LEFT JOIN customers_in_segments USING (segment, bucket_start)
GROUP BY ALL ORDER BY ALL`,

  customers_active: `WITH activity AS (
  SELECT segment, bucket_of(seen_at) AS bucket_start, customer_id
  FROM sightings JOIN customers_in_segments USING (customer_id)
)
SELECT segment, bucket_start, bucket_end,
       count(DISTINCT customer_id) AS active_customers,
       bucket_end > as_of() AS incomplete
FROM customer_buckets LEFT JOIN activity USING (segment, bucket_start)
GROUP BY ALL ORDER BY ALL`,

  conversion_to_paying: `WITH payers AS (
  SELECT segment, customer_id, sum(payments) > 0 AS is_paying
  FROM customers_in_segments
  JOIN customer_purchases USING (segment, customer_id)
  JOIN money USING (customer_id, purchase_id)
  WHERE is_within(moved_at, first_seen, getvariable('conversion_timeframe'))
  GROUP BY ALL
)
SELECT segment, bucket_start, bucket_end,
       count(customer_id) AS new_customers,
       count(*) FILTER (is_paying) AS paying_customers,
       percent(paying_customers, new_customers) AS conversion_rate,
       is_open(bucket_end, getvariable('conversion_timeframe')) AS incomplete
FROM customer_buckets
LEFT JOIN customers_in_segments USING (segment, bucket_start)
LEFT JOIN payers USING (segment, customer_id)
GROUP BY ALL ORDER BY ALL`,

  ltv_per_customer: `WITH worth AS (
  SELECT segment, customer_id, sum(revenue_part(usd, usd - tax, usd - tax - commission)) AS ltv
  FROM customers_in_segments
  JOIN customer_purchases USING (segment, customer_id)
  JOIN money USING (customer_id, purchase_id)
  WHERE is_within(moved_at, first_seen, getvariable('customer_lifetime'))
  GROUP BY ALL
)
SELECT segment, bucket_start, bucket_end,
       count(customer_id) AS new_customers,
       usd(sum(ltv)) AS realized_ltv,
       usd_per(sum(ltv), new_customers) AS ltv_per_customer,
       is_open(bucket_end, getvariable('customer_lifetime')) AS incomplete
FROM customer_buckets
LEFT JOIN customers_in_segments USING (segment, bucket_start)
LEFT JOIN worth USING (segment, customer_id)
GROUP BY ALL ORDER BY ALL`,

  ltv_per_paying_customer: `WITH worth AS (
  SELECT segment, customer_id, sum(payments) > 0 AS is_paying,
         sum(revenue_part(usd, usd - tax, usd - tax - commission)) AS ltv
  FROM customers_in_segments
  JOIN customer_purchases USING (segment, customer_id)
  JOIN money USING (customer_id, purchase_id)
  WHERE is_within(moved_at, first_seen, getvariable('customer_lifetime'))
  GROUP BY ALL
)
SELECT segment, bucket_start, bucket_end,
       count(*) FILTER (is_paying) AS paying_customers,
       usd(sum(ltv)) AS realized_ltv,
       usd_per(sum(ltv), paying_customers) AS ltv_per_paying_customer,
       is_open(bucket_end, getvariable('customer_lifetime')) AS incomplete
FROM customer_buckets
LEFT JOIN customers_in_segments USING (segment, bucket_start)
LEFT JOIN worth USING (segment, customer_id)
GROUP BY ALL ORDER BY ALL`,

  subscription_retention: `-- Members are the subscriptions of product_duration with a standard payment. Column 0 is this payment, column k the k-th renewal. A renewal
-- is due when it was paid; the first unpaid one, when the last payment lapsed; later ones by the calendar.
WITH payments AS (
  SELECT segment, customer_id, purchase_id, purchased_at, contract_end, access_revoked,
         row_number() OVER (PARTITION BY customer_id, purchase_id ORDER BY purchased_at, transaction_id) - 1 AS k
  FROM transactions JOIN purchases_in_segments USING (customer_id, purchase_id)
  WHERE period_type = 'normal'
    AND months_of(product_duration) = renewal_months() AND days_of(product_duration) = renewal_days()
), members AS (
  SELECT segment, customer_id, purchase_id, count(*) AS paid, min(purchased_at) AS joined_at,
         greatest(max(purchased_at), arg_max(contract_end, k)) AS lapses_at
  FROM payments
  GROUP BY ALL
), columns AS (
  SELECT *, unnest(range(0, greatest(paid, 1 + max_renewals(joined_at)))) AS k
  FROM members
), renewals AS (
  SELECT segment, bucket_of(joined_at) AS bucket_start, k, count(*) AS eligible,
         count(*) FILTER (k < paid AND (k = 0 OR NOT access_revoked)) AS retained
  FROM columns LEFT JOIN payments USING (segment, customer_id, purchase_id, k)
  WHERE k < paid OR (lapses_at < as_of() AND (k = paid OR due_at(joined_at, k) < as_of()))
  GROUP BY ALL
)
SELECT segment, bucket_start, bucket_end,
       coalesce(first_value(eligible) OVER (PARTITION BY segment, bucket_start ORDER BY k), 0) AS size,
       k AS index, eligible, retained, percent(retained, eligible) AS retention_rate,
       due_at(bucket_end, k) > as_of() AS incomplete
FROM purchase_buckets LEFT JOIN renewals USING (segment, bucket_start)
ORDER BY segment, bucket_start, k`,

  cohort_explorer: `-- Column k is the k-th interval since the day on which a customer joined the cohort, so every customer has the same time in it.
WITH joiners AS (
  SELECT segment, customer_id, first_seen AS joined_at
  FROM customers_in_segments
  WHERE getvariable('cohort') = 'new_customers'
  UNION ALL
  SELECT segment, customer_id, min(purchased_at)
  FROM customer_purchases JOIN transactions USING (customer_id, purchase_id)
  WHERE getvariable('cohort') = 'initial_conversions'
     OR (getvariable('cohort') = 'new_paying_customers' AND is_paid AND NOT is_fully_refunded)
  GROUP BY ALL
), members AS (
  SELECT segment, bucket_of(joined_at) AS bucket_start, customer_id, date_trunc('day', joined_at) AS day_0
  FROM joiners
), cohorts AS (
  SELECT segment, bucket_start, count(*) AS size, min(day_0) AS first_day
  FROM members
  GROUP BY ALL
), columns AS (
  SELECT *, unnest(range(0, intervals_between(first_day, as_of() - INTERVAL 1 MILLISECOND) + 1)) AS k
  FROM cohorts
), money_by_age AS (
  SELECT segment, bucket_start, intervals_between(day_0, moved_at) AS k,
         revenue_part(usd, usd - tax, usd - tax - commission) AS value
  FROM members
  JOIN customer_purchases USING (segment, customer_id)
  JOIN money USING (customer_id, purchase_id)
  WHERE moved_at >= day_0
), stays_by_age AS (
  SELECT *, unnest(range(
    greatest(intervals_between(day_0, live_from), 0), 1 + intervals_between(day_0, least(live_to, as_of()))
  )) AS k, least(day_0 + intervals(k + 1), as_of()) AS counted_at
  FROM members
  JOIN customer_purchases USING (segment, customer_id)
  JOIN stays USING (customer_id, purchase_id)
  WHERE period_type <> 'trial'
), facts AS (
  SELECT segment, bucket_start, k, value
  FROM money_by_age WHERE getvariable('cohort_measure') <> 'retained_subscriptions'
  UNION ALL
  SELECT segment, bucket_start, k, 1
  FROM stays_by_age WHERE getvariable('cohort_measure') = 'retained_subscriptions'
    AND live_from < counted_at AND counted_at <= live_to
), cells AS (
  SELECT segment, bucket_start, size, k, coalesce(sum(value), 0) AS value,
         sum(coalesce(sum(value), 0)) OVER (PARTITION BY segment, bucket_start ORDER BY k) AS value_so_far
  FROM columns LEFT JOIN facts USING (segment, bucket_start, k)
  GROUP BY segment, bucket_start, size, k
)
SELECT segment, bucket_start, bucket_end, coalesce(size, 0) AS size, k AS index,
       CASE getvariable('cohort_measure')
         WHEN 'realized_ltv' THEN usd(value_so_far)
         WHEN 'realized_ltv_per_customer' THEN usd_per(value_so_far, size)
         ELSE usd(value)
       END AS value,
       date_trunc('day', bucket_end - INTERVAL 1 MILLISECOND) + intervals(k + 1) > as_of() AS incomplete
FROM customer_buckets LEFT JOIN cells USING (segment, bucket_start)
ORDER BY segment, bucket_start, k`,
} as const;
