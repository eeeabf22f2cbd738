// Port of the metrics: counters and histograms recorded during work, and gauges read on each scrape. Labels never contain ids.

export const refusalReasons = ['unknown-token', 'unreadable', 'unproven', 'other-app'] as const;

type NotificationOutcome =
  { readonly outcome: 'received' } | { readonly outcome: 'refused'; readonly reason: (typeof refusalReasons)[number] };

export const appendOutcomes = ['appended', 'conflict', 'failed'] as const;

export type Metrics = {
  /** Records a request. `route` is the path template; `ms` is the time until the response was sent. */
  request(o: { readonly method: string; readonly route: string; readonly status: number; readonly ms: number }): void;
  notification(store: string, outcome: NotificationOutcome): void;
  /** Records an append. `conflict`: another writer was first. */
  append(outcome: (typeof appendOutcomes)[number], ms: number): void;
};

/** Value of a gauge, read on each scrape. `labels` are those of {@link gauges}. */
export type GaugeValue = {
  readonly name: keyof typeof gauges;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
};

export const gauges = {
  dependency_up: { help: '1 if it responds, else 0', labels: ['dependency'] },
  projection_lag_seconds: { help: 'Age of the oldest event that the read model has not applied', labels: ['name'] },
  reaction_lag_seconds: { help: 'Age of the oldest event that the reaction has not handled', labels: ['name'] },
  projection_halted: { help: '1 if the read model halted at an event that it cannot fold', labels: ['name'] },
  projection_parked_streams: { help: 'Parked documents, which keep an old state', labels: ['name'] },
  reaction_parked_events: { help: 'Parked events, which the reaction could not handle and skipped', labels: ['name'] },
  webhook_oldest_due_seconds: { help: 'Time since the oldest pending delivery became due', labels: [] },
  webhook_in_flight: { help: 'Deliveries being sent by this process', labels: [] },
  webhook_open_breakers: { help: 'Webhook endpoints with an open circuit breaker in this process', labels: [] },
  disk_free_bytes: { help: 'Free space on the data disk', labels: [] },
  lease_held: { help: '1 if this process holds the lease', labels: ['name'] },
} as const;

/** Totals since process start, counted by their owners. */
type Totals = { readonly webhook_attempts_total: Readonly<Record<'delivered' | 'failed', number>> };

export type MetricsPage = {
  readonly contentType: string;
  /** Renders the page in the Prometheus text format. */
  text(gaugeValues: readonly GaugeValue[], totals: Totals): Promise<string>;
};
