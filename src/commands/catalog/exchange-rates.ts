// Exchange rates: imports them, fixes the USD values of charges, and fills in values that could not be converted earlier.
import { commandIds } from '../handling/command-ids.js';
import { utcDay } from '../../domain/time.js';
import type { Actor } from '../../domain/envelope.js';
import { convertToUsd } from '../../domain/rates/convert.js';
import { ratesDecider, type PublishRates } from '../../domain/rates/rates.js';
import { streams } from '../../domain/streams.js';
import type { SubscriberCommand } from '../../domain/subscriber/decide/commands.js';
import { subscriberDecider } from '../../domain/subscriber/decide/decider.js';
import { MergedElsewhere } from '../../domain/errors.js';
import type { Money } from '../../domain/money.js';
import type { Deps } from '../handling/deps.js';
import { runCommand } from '../handling/run-command.js';

/** Maximum days per append, because the distributed log limits its size. */
const DAYS_PER_APPEND = 200;

export type ImportedRates = {
  readonly days: number;
  /** `published`: number of new days. `corrected`: number of days with a new or changed rate. */
  readonly published: number;
  readonly corrected: number;
  readonly from: string | null;
  readonly to: string | null;
};

type RatesDeps = Pick<Deps, 'log' | 'runtime' | 'mutex'>;

/** Accepts days in any order and skips days already imported, so that a file can be imported again. */
export async function importRates(
  deps: RatesDeps,
  days: readonly PublishRates[],
  importId: string,
): Promise<ImportedRates> {
  const sorted = days.toSorted((a, b) => (a.day < b.day ? -1 : 1));
  const stream = streams.rates();
  const counts = { ExchangeRatesPublished: 0, ExchangeRatesCorrected: 0 };
  for (let from = 0; from < sorted.length; from += DAYS_PER_APPEND) {
    const commandId = commandIds.ratesImport(importId, from);
    const actor: Actor = { kind: 'system', id: 'rates' };
    const ctx = { commandId, correlationId: commandId, actor };
    const some = sorted.slice(from, from + DAYS_PER_APPEND);
    const { eventIds } = await deps.mutex.run(stream, () => runCommand(deps, stream, ratesDecider, some, ctx));
    const appendedIds = new Set(eventIds);
    for await (const { id, type } of deps.log.read(stream)) {
      if (appendedIds.has(id) && type in counts) counts[type as keyof typeof counts]++;
    }
  }
  const { ExchangeRatesPublished: published, ExchangeRatesCorrected: corrected } = counts;
  return { days: days.length, published, corrected, from: sorted.at(0)?.day ?? null, to: sorted.at(-1)?.day ?? null };
}

/** Adds the USD value to charges where a rate is available; the event fixes the rate. */
export async function addUsdValues<C extends SubscriberCommand>(
  deps: Pick<Deps, 'rates'>,
  commands: readonly C[],
): Promise<C[]> {
  const isUnpriced = (command: C) => 'purchasedAt' in command && isUnconverted(command.money);
  if (!commands.some(isUnpriced)) return [...commands];
  const rates = await deps.rates.get(streams.rates());
  return commands.map((command) =>
    'purchasedAt' in command ? { ...command, money: convertToUsd(command.money, command.purchasedAt, rates) } : command,
  );
}

/** Returns true if the price is known but its value in USD is not. */
function isUnconverted({ currency, amountMicros, usdMicros }: Money): boolean {
  return currency !== null && amountMicros !== null && usdMicros === null;
}

export type UnconvertedCharge = {
  readonly projectId: string;
  readonly customerId: string;
  readonly transactionId: string;
  readonly purchasedAt: string;
  readonly money: Money;
};

/** Fills in the USD value of a charge if there is a rate now. Has no effect on repeats and on charges of merged customers. */
export async function fillInUsdValue(deps: Deps, charge: UnconvertedCharge, causationId: string): Promise<void> {
  const { projectId, customerId, transactionId, purchasedAt } = charge;
  const money = convertToUsd(charge.money, purchasedAt, await deps.rates.get(streams.rates()));
  if (money.usdMicros === null) return;
  const stream = streams.subscriber(projectId, customerId);
  const commandId = commandIds.lateRate(transactionId, utcDay(purchasedAt), money.fxDate);
  const actor: Actor = { kind: 'system', id: 'rates' };
  const ctx = { commandId, correlationId: causationId, causationId, actor, projectId };
  const command = { kind: 'correctPrice' as const, transactionId, money };
  try {
    await deps.mutex.run(stream, () => runCommand(deps, stream, subscriberDecider, [command], ctx));
  } catch (err) {
    // The charge has moved to the customer that this one was merged into; the next run finds it there.
    if (!(err instanceof MergedElsewhere)) throw err;
  }
}
