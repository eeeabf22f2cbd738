// Health of a host that receives webhooks of one tenant. It outlives the webhooks: a new one to the same host gets no fresh patience.
import { afterFailure, noFailures, type Breaker } from './breaker.js';
import type { Outcome, Schedule } from './schedule.js';

/** The breaker counts requests without a response: what a host answers is the business of each endpoint. */
export type HostHealth = Breaker & {
  /** The latest response came soon. A host that has not responded yet, or responds slowly, gets few requests at once. */
  readonly isPrompt: boolean;
};

export const unknownHost: HostHealth = { ...noFailures, isPrompt: false };

const PROMPT_MS = 2000;

export type Exchange = { readonly atMs: number; readonly ms: number; readonly outcome: Outcome };

export function afterExchange(h: HostHealth, { atMs, ms, outcome }: Exchange, schedule: Schedule): HostHealth {
  if (outcome.status !== null) return { ...noFailures, isPrompt: ms <= PROMPT_MS };
  return { ...afterFailure(h, atMs, schedule), isPrompt: false };
}
