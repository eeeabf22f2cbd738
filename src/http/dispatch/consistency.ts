// Read-your-writes consistency: a response waits briefly until the read models it is read from have caught up.
import { z } from 'zod';
import type { LogPosition } from '../../domain/envelope.js';
import type { Services } from './services.js';

const MAX_WAIT_MS = 2000;

const positionSchema = z.string().regex(/^\d{20}$/);

/**
 * Returns true once every read model has reached the position, false after two seconds: the event is stored, so the response may be sent.
 */
export async function waitForReadModels(
  { progress, runtime }: Services,
  position: string | undefined,
  readModels: readonly { readonly name: string }[],
): Promise<boolean> {
  if (position === undefined) return true;
  const names = readModels.map((v) => v.name);
  const target = positionSchema.parse(position, {
    error: () => 'X-Position must be the x-position of an earlier response',
  }) as LogPosition;
  if (names.every((name) => (progress.at(name) ?? '') >= target)) return true;
  const done = new AbortController();
  const timer = runtime.sleep(MAX_WAIT_MS, done.signal).then(() => done.abort());
  const reached = await progress.wait(names, target, done.signal);
  done.abort();
  await timer;
  return reached;
}

/** Returns the position that every read model has reached; null if one has reported none yet. */
export function lowestPosition(
  progress: Services['progress'],
  readModels: readonly { readonly name: string }[],
): LogPosition | null {
  let lowest: LogPosition | null = null;
  for (const { name } of readModels) {
    const reached = progress.at(name);
    if (reached === undefined) return null;
    if (lowest === null || reached < lowest) lowest = reached;
  }
  return lowest;
}
