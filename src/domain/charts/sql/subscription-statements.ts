// The charts of paid subscriptions in SQL, by chart.

export const subscriptionStatements = {
  actives: `SELECT segment, bucket_start, bucket_end,
       count(purchase_id) AS active_subscriptions,
       bucket_end > as_of() AS incomplete
FROM purchase_buckets LEFT JOIN (FROM live_at_end WHERE kind = 'paid') USING (segment, bucket_start)
GROUP BY ALL ORDER BY ALL`,

  actives_movement: `SELECT segment, bucket_start, bucket_end,
       count(*) FILTER (turn = 'new') AS new_actives,
       count(*) FILTER (turn = 'out') - count(*) FILTER (turn = 'back') AS churned_actives,
       new_actives - churned_actives AS movement,
       bucket_end > as_of() AS incomplete
FROM purchase_buckets LEFT JOIN (FROM turns WHERE kind = 'paid') USING (segment, bucket_start)
GROUP BY ALL ORDER BY ALL`,

  actives_new: `WITH trials AS (
  SELECT customer_id, purchase_id, min(purchased_at) AS trial_at
  FROM transactions WHERE period_type = 'trial'
  GROUP BY ALL
), starts AS (
  SELECT segment, bucket_start, CASE
    WHEN trial_at < turned_at THEN 'trial'
    WHEN period_type = 'intro' THEN 'intro'
    ELSE 'direct'
  END AS way
  FROM turns LEFT JOIN trials USING (customer_id, purchase_id)
  WHERE kind = 'paid' AND turn = 'new'
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
FROM purchase_buckets LEFT JOIN (FROM live_at_end WHERE kind = 'paid') USING (segment, bucket_start)
GROUP BY ALL ORDER BY ALL`,

  arr: `SELECT segment, bucket_start, bucket_end,
       usd(12 * sum(mrr)) AS arr,
       bucket_end > as_of() AS incomplete
FROM purchase_buckets LEFT JOIN (FROM live_at_end WHERE kind = 'paid') USING (segment, bucket_start)
GROUP BY ALL ORDER BY ALL`,

  mrr_movement: `WITH steps AS (
  SELECT segment, bucket_start,
         coalesce(sum(mrr) FILTER (turn = 'new'), 0) AS entered,
         coalesce(sum(mrr) FILTER (turn = 'back'), 0) AS came_back,
         coalesce(sum(mrr) FILTER (turn = 'out'), 0) AS went_out,
         coalesce(sum(mrr) FILTER (turn = 'step' AND mrr > 0), 0) AS rises,
         coalesce(-sum(mrr) FILTER (turn = 'step' AND mrr < 0), 0) AS falls
  FROM turns WHERE kind = 'paid'
  GROUP BY ALL
)
SELECT segment, bucket_start, bucket_end,
       usd(entered) AS new_mrr,
       usd(went_out - came_back) AS churned_mrr,
       usd(rises) AS expansion_mrr,
       usd(falls) AS contraction_mrr,
       usd(entered - (went_out - came_back) + rises - falls) AS movement,
       bucket_end > as_of() AS incomplete
FROM purchase_buckets LEFT JOIN steps USING (segment, bucket_start)
ORDER BY ALL`,

  churn: `WITH live_at_start AS (
  SELECT segment, bucket_start, count(*) AS live_before
  FROM buckets JOIN live ON live_from < bucket_start AND bucket_start <= live_to
  WHERE kind = 'paid'
  GROUP BY ALL
)
SELECT segment, bucket_start, bucket_end,
       coalesce(any_value(live_before), 0) AS actives,
       count(*) FILTER (turn = 'out') - count(*) FILTER (turn = 'back') AS churned_actives,
       percent(churned_actives, actives) AS churn_rate,
       bucket_end > as_of() AS incomplete
FROM purchase_buckets
LEFT JOIN live_at_start USING (segment, bucket_start)
LEFT JOIN (FROM turns WHERE kind = 'paid') USING (segment, bucket_start)
GROUP BY ALL ORDER BY ALL`,

  subscription_status: `WITH counted AS (
  SELECT segment, bucket_start, renewal, CASE getvariable('status_measure')
    WHEN 'mrr' THEN mrr
    WHEN 'arr' THEN 12 * mrr
    ELSE 1
  END AS value
  FROM live_at_end
  WHERE kind = CASE getvariable('status_measure') WHEN 'active_trials' THEN 'trial' ELSE 'paid' END
)
SELECT segment, bucket_start, bucket_end,
       usd(sum(value) FILTER (renewal = 'set_to_renew')) AS set_to_renew,
       usd(sum(value) FILTER (renewal = 'set_to_cancel')) AS set_to_cancel,
       usd(sum(value) FILTER (renewal = 'billing_issue')) AS billing_issue,
       bucket_end > as_of() AS incomplete
FROM purchase_buckets LEFT JOIN counted USING (segment, bucket_start)
GROUP BY ALL ORDER BY ALL`,
} as const;
