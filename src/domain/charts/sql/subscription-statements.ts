// SQL of the charts of paid subscriptions, by chart.

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
