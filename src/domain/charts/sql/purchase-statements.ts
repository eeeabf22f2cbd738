// SQL of the charts of subscriptions, money and trials, by chart.

export const subscriptionStatements = {
  actives: `SELECT segment, bucket_start, bucket_end,
       count(purchase_id) AS active_subscriptions,
       bucket_end > as_of() AS incomplete
FROM purchase_buckets LEFT JOIN (FROM live_at_bucket_end WHERE kind = 'paid') USING (segment, bucket_start)
GROUP BY ALL ORDER BY ALL`,

  actives_movement: `SELECT segment, bucket_start, bucket_end,
       count(*) FILTER (event = 'new') AS new_actives,
       count(*) FILTER (event = 'out') - count(*) FILTER (event = 'back') AS churned_actives,
       new_actives - churned_actives AS movement,
       bucket_end > as_of() AS incomplete
FROM purchase_buckets LEFT JOIN (FROM stay_events WHERE kind = 'paid') USING (segment, bucket_start)
GROUP BY ALL ORDER BY ALL`,

  actives_new: `WITH trials AS (
  SELECT customer_id, purchase_id, min(purchased_at) AS trial_at
  FROM transactions WHERE period_type = 'trial'
  GROUP BY ALL
), starts AS (
  SELECT segment, bucket_start, CASE
    WHEN trial_at < happened_at THEN 'trial'
    WHEN period_type = 'intro' THEN 'intro'
    ELSE 'direct'
  END AS way
  FROM stay_events LEFT JOIN trials USING (customer_id, purchase_id)
  WHERE kind = 'paid' AND event = 'new'
)
SELECT segment, bucket_start, bucket_end,
       count(*) FILTER (way = 'trial') AS trial_conversions,
       count(*) FILTER (way = 'intro') AS intro_offers,
       count(*) FILTER (way = 'direct') AS direct_subscriptions,
       count(way) AS total,
       bucket_end > as_of() AS incomplete
FROM purchase_buckets LEFT JOIN starts USING (segment, bucket_start)
GROUP BY ALL ORDER BY ALL`,

  mrr: `SELECT segment, bucket_start, bucket_end,
       usd(sum(mrr)) AS mrr,
       bucket_end > as_of() AS incomplete
FROM purchase_buckets LEFT JOIN (FROM live_at_bucket_end WHERE kind = 'paid') USING (segment, bucket_start)
GROUP BY ALL ORDER BY ALL`,

  arr: `SELECT segment, bucket_start, bucket_end,
       usd(12 * sum(mrr)) AS arr,
       bucket_end > as_of() AS incomplete
FROM purchase_buckets LEFT JOIN (FROM live_at_bucket_end WHERE kind = 'paid') USING (segment, bucket_start)
GROUP BY ALL ORDER BY ALL`,

  mrr_movement: `WITH steps AS (
  SELECT segment, bucket_start,
         coalesce(sum(mrr) FILTER (event = 'new'), 0) AS entry_mrr,
         coalesce(sum(mrr) FILTER (event = 'back'), 0) AS reentry_mrr,
         coalesce(sum(mrr) FILTER (event = 'out'), 0) AS exit_mrr,
         coalesce(sum(mrr) FILTER (event = 'step' AND mrr > 0), 0) AS rises,
         coalesce(-sum(mrr) FILTER (event = 'step' AND mrr < 0), 0) AS falls
  FROM stay_events WHERE kind = 'paid'
  GROUP BY ALL
)
SELECT segment, bucket_start, bucket_end,
       usd(entry_mrr) AS new_mrr,
       usd(exit_mrr - reentry_mrr) AS churned_mrr,
       usd(rises) AS expansion_mrr,
       usd(falls) AS contraction_mrr,
       usd(entry_mrr - (exit_mrr - reentry_mrr) + rises - falls) AS movement,
       bucket_end > as_of() AS incomplete
FROM purchase_buckets LEFT JOIN steps USING (segment, bucket_start)
ORDER BY ALL`,

  churn: `WITH live_at_start AS (
  SELECT segment, bucket_start, count(*) AS live_before
  FROM buckets JOIN live_time ON live_from < bucket_start AND bucket_start <= live_to
  WHERE kind = 'paid'
  GROUP BY ALL
)
SELECT segment, bucket_start, bucket_end,
       coalesce(any_value(live_before), 0) AS actives,
       count(*) FILTER (event = 'out') - count(*) FILTER (event = 'back') AS churned_actives,
       percent(churned_actives, actives) AS churn_rate,
       bucket_end > as_of() AS incomplete
FROM purchase_buckets
LEFT JOIN live_at_start USING (segment, bucket_start)
LEFT JOIN (FROM stay_events WHERE kind = 'paid') USING (segment, bucket_start)
GROUP BY ALL ORDER BY ALL`,

  subscription_status: `WITH status_values AS (
  SELECT segment, bucket_start, renewal, CASE getvariable('status_measure')
    WHEN 'mrr' THEN mrr
    WHEN 'arr' THEN 12 * mrr
    ELSE 1
  END AS value
  FROM live_at_bucket_end
  WHERE kind = CASE getvariable('status_measure') WHEN 'active_trials' THEN 'trial' ELSE 'paid' END
)
SELECT segment, bucket_start, bucket_end,
       usd(sum(value) FILTER (renewal = 'set_to_renew')) AS set_to_renew,
       usd(sum(value) FILTER (renewal = 'set_to_cancel')) AS set_to_cancel,
       usd(sum(value) FILTER (renewal = 'billing_issue')) AS billing_issue,
       bucket_end > as_of() AS incomplete
FROM purchase_buckets LEFT JOIN status_values USING (segment, bucket_start)
GROUP BY ALL ORDER BY ALL`,
} as const;

export const moneyStatements = {
  revenue: `WITH first_payments AS (
  SELECT customer_id, arg_min(transaction_id, (purchased_at, transaction_id)) AS first_payment
  FROM transactions WHERE is_paid
  GROUP BY ALL
), movements AS (
  SELECT segment, bucket_of(moved_at) AS bucket_start, kind, usd, tax, commission,
         coalesce(transaction_id = first_payment, false) AS is_new
  FROM money
  JOIN purchases_in_segments USING (customer_id, purchase_id)
  LEFT JOIN first_payments USING (customer_id)
)
SELECT segment, bucket_start, bucket_end,
       usd(sum(usd)) AS revenue,
       usd(sum(usd) FILTER (is_new)) AS new_revenue,
       usd(sum(usd) FILTER (NOT is_new)) AS renewal_revenue,
       usd(sum(usd) FILTER (kind = 'charge')) AS gross_revenue,
       usd(-sum(usd) FILTER (kind <> 'charge')) AS refunds,
       usd(sum(tax)) AS tax,
       usd(sum(commission)) AS commission,
       usd(sum(usd - tax - commission)) AS proceeds,
       count(*) FILTER (kind = 'charge') AS transactions,
       count(*) FILTER (kind = 'charge' AND usd IS NULL) AS unconverted_transactions,
       bucket_end > as_of() AS incomplete
FROM purchase_buckets LEFT JOIN movements USING (segment, bucket_start)
GROUP BY ALL ORDER BY ALL`,

  refund_rate: `WITH payments AS (
  SELECT segment, bucket_of(purchased_at) AS bucket_start, is_paid, is_refunded
  FROM transactions JOIN purchases_in_segments USING (customer_id, purchase_id)
)
SELECT segment, bucket_start, bucket_end,
       count(*) FILTER (is_paid) AS transactions,
       count(*) FILTER (is_paid AND is_refunded) AS refunded_transactions,
       percent(refunded_transactions, transactions) AS refund_rate,
       bucket_end > as_of() AS incomplete
FROM purchase_buckets LEFT JOIN payments USING (segment, bucket_start)
GROUP BY ALL ORDER BY ALL`,

  trials: `SELECT segment, bucket_start, bucket_end,
       count(purchase_id) AS active_trials,
       bucket_end > as_of() AS incomplete
FROM purchase_buckets LEFT JOIN (FROM live_at_bucket_end WHERE kind = 'trial') USING (segment, bucket_start)
GROUP BY ALL ORDER BY ALL`,

  trials_movement: `SELECT segment, bucket_start, bucket_end,
       count(*) FILTER (event = 'new') AS new_trials,
       count(*) FILTER (event = 'out') - count(*) FILTER (event = 'back') AS expired_trials,
       new_trials - expired_trials AS movement,
       bucket_end > as_of() AS incomplete
FROM purchase_buckets LEFT JOIN (FROM stay_events WHERE kind = 'trial') USING (segment, bucket_start)
GROUP BY ALL ORDER BY ALL`,

  trials_new: `SELECT segment, bucket_start, bucket_end,
       count(*) FILTER (event = 'new') AS new_trials,
       bucket_end > as_of() AS incomplete
FROM purchase_buckets LEFT JOIN (FROM stay_events WHERE kind = 'trial') USING (segment, bucket_start)
GROUP BY ALL ORDER BY ALL`,

  trial_conversion_rate: `WITH first_payments AS (
  SELECT customer_id, purchase_id, arg_min(is_fully_refunded, (purchased_at, transaction_id)) AS is_undone
  FROM transactions WHERE period_type IN ('intro', 'normal')
  GROUP BY ALL
), trials AS (
  SELECT segment, customer_id, purchase_id, bucket_of(min(live_from)) AS bucket_start, max(live_to) AS ended_at
  FROM live_time WHERE kind = 'trial'
  GROUP BY ALL
), outcomes AS (
  SELECT segment, bucket_start, CASE
    WHEN is_undone THEN 'abandoned'
    WHEN NOT is_undone THEN 'converted'
    WHEN auto_renew AND ended_at >= as_of() THEN 'pending'
    ELSE 'abandoned'
  END AS outcome
  FROM trials
  JOIN purchases USING (customer_id, purchase_id)
  LEFT JOIN first_payments USING (customer_id, purchase_id)
)
SELECT segment, bucket_start, bucket_end,
       count(outcome) AS trial_starts,
       count(*) FILTER (outcome = 'converted') AS conversions,
       count(*) FILTER (outcome = 'pending') AS pending,
       count(*) FILTER (outcome = 'abandoned') AS abandoned,
       percent(conversions, trial_starts) AS conversion_rate,
       bucket_end > as_of() OR pending > 0 AS incomplete
FROM purchase_buckets LEFT JOIN outcomes USING (segment, bucket_start)
GROUP BY segment, bucket_start, bucket_end ORDER BY ALL`,
} as const;
