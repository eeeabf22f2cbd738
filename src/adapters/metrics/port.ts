// What the service counts while it works, and what it is asked about itself when somebody looks. No label ever holds an id.

export type NotificationOutcome =
  | { readonly outcome: 'received' }
  | { readonly outcome: 'refused'; readonly reason: 'unknown-token' | 'unreadable' | 'unproven' | 'other-app' };

export type Metrics = {
  /** `route` is the template of the path; `ms` until the response was sent. */
  request(o: { readonly method: string; readonly route: string; readonly status: number; readonly ms: number }): void;
  notification(store: string, outcome: NotificationOutcome): void;
  /** `conflict`: another writer was first. */
  append(outcome: 'appended' | 'conflict' | 'failed', ms: number): void;
};

/** What is asked for when somebody looks, by name. `labels` are those of {@link gauges}. */
export type GaugeValue = {
  readonly name: keyof typeof gauges;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
};

export const gauges = {
  dependency_up: { help: '1 if it answered just now, else 0', labels: ['dependency'] },
  projection_lag_seconds: { help: 'Age of the oldest event that the read model has not taken in', labels: ['name'] },
  reaction_lag_seconds: { help: 'Age of the oldest event that the reaction has not handled', labels: ['name'] },
  projection_halted: { help: '1 if it stopped at an event that it cannot fold', labels: ['name'] },
  projection_parked_streams: { help: 'Documents that keep an old state', labels: ['name'] },
  reaction_parked_events: { help: 'Events that could not be handled and were passed', labels: ['name'] },
  webhook_oldest_due_seconds: { help: 'How long the oldest delivery has been due, whatever it waits for', labels: [] },
  webhook_in_flight: { help: 'Deliveries being sent by this process', labels: [] },
  webhook_open_breakers: { help: 'Endpoints that this process leaves alone for a while', labels: [] },
  disk_free_bytes: { help: 'Room where the files lie', labels: [] },
  lease_held: { help: '1 if this process does the work', labels: ['name'] },
} as const;

/** Totals since the process began, kept by whoever counts them. */
export type Totals = { readonly webhook_attempts_total: Readonly<Record<'delivered' | 'failed', number>> };

export type MetricsPage = {
  readonly contentType: string;
  /** In the text format of Prometheus. */
  text(gaugeValues: readonly GaugeValue[], totals: Totals): Promise<string>;
};
