// Read-your-writes consistency: a response waits briefly until the read models it is read from have caught up.
import { z } from 'zod';
import { isLogPosition, type LogPosition } from '../../domain/envelope.js';
import { projections } from '../../projections/rebuild/registry.js';
import { waitAtMost } from '../../projections/runtime/progress.js';
import { HttpError } from '../bodies/errors.js';
import type { Route } from './route.js';
import type { Services } from './services.js';

const MAX_WAIT_MS = 2000;

const positionSchema = z.custom<LogPosition>(isLogPosition);

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
  });
  if (names.every((name) => (progress.at(name) ?? '') >= target)) return true;
  return waitAtMost(MAX_WAIT_MS, { progress, runtime }, names, target);
}

/**
 * Waits until every read model has reached the position that the request names, except halted ones, which answer from their last state.
 * Throws {@link HttpError} 503 after two seconds: an answer without the write would be wrong.
 */
export async function waitForPosition(services: Services, position: string | undefined): Promise<void> {
  if (position === undefined) return;
  const going = () => {
    const halted = services.progress.haltedReadModels();
    return projections.filter(({ name }) => !halted.includes(name));
  };
  const awaited = going();
  if (await waitForReadModels(services, position, awaited)) return;
  // A read model that halts ends the wait for all.
  const remaining = going();
  if (remaining.length < awaited.length && (await waitForReadModels(services, position, remaining))) return;
  throw new HttpError(503, 'the position of X-Position is not readable yet; retry in 1 second', 1);
}

/** Returns true for reads of a project, whose responses have the header `X-Read-Position`. */
export function reportsReadPosition({ method, access, path }: Pick<Route, 'method' | 'access' | 'path'>): boolean {
  return method === 'get' && access === 'project' && path.startsWith('/v1/projects/:id/');
}

/** Returns the position that every read model has reached, for a read of a project; null if one has reported none yet. */
export function readPositionOf(
  route: Pick<Route, 'method' | 'access' | 'path'>,
  progress: Services['progress'],
): LogPosition | null {
  if (!reportsReadPosition(route)) return null;
  let lowest: LogPosition | null = null;
  for (const { name } of projections) {
    const reached = progress.at(name);
    if (reached === undefined) return null;
    if (lowest === null || reached < lowest) lowest = reached;
  }
  return lowest;
}
