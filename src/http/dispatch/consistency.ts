// Read-your-writes consistency: a response waits briefly until the read models it is read from have caught up.
import { z } from 'zod';
import type { LogPosition } from '../../domain/envelope.js';
import { projections } from '../../projections/rebuild/registry.js';
import { waitAtMost } from '../../projections/runtime/progress.js';
import type { Route } from './route.js';
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
  return waitAtMost(MAX_WAIT_MS, { progress, runtime }, names, target);
}

/** Like {@link waitForReadModels}, for all of them. */
export function waitForAllReadModels(services: Services, position: string): Promise<boolean> {
  return waitForReadModels(services, position, projections);
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
