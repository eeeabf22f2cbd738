// Runs a route's handler and reads its answer once the read models show what it wrote; under an idempotency key, once for all repeats.
import type { OnceOnly } from '../../commands/idempotency/idempotency.js';
import type { LogPosition } from '../../domain/envelope.js';
import { waitForReadModels } from './consistency.js';
import type { Answer, Input, Route } from './route.js';
import type { Services } from './services.js';

export type Performed = {
  readonly status: number;
  readonly body: object;
  /** Up to where the log must be read to find what was written. */
  readonly position: LogPosition | null;
  readonly isSecret: boolean;
  readonly etag: boolean;
  /** The answer is that of an earlier request. */
  readonly isRepeat: boolean;
};

type AnyInput = Input<never, never, never>;

export async function perform(
  route: Route,
  input: AnyInput,
  services: Services,
  asked: OnceOnly | null,
): Promise<Performed> {
  if (!asked) return { ...(await handled(route, input, services)), isRepeat: false };
  const { isRepeat, ...answer } = await services.idempotency.once(asked, (requestId, runtime) =>
    handled(route, { ...input, by: { ...input.by, requestId } }, withRuntime(services, runtime)),
  );
  if (isRepeat) await route.onRepeat?.(answer.body, input.scope, services);
  return { ...answer, isSecret: true, etag: false, isRepeat };
}

async function handled(route: Route, input: AnyInput, services: Services): Promise<Omit<Performed, 'isRepeat'>> {
  const { status = 200, body, after, isSecret = false, etag = false } = await route.handle(input, services);
  if (after) await show(services, after, input.by.requestId);
  const shown = typeof body === 'function' ? await body() : body;
  return { status, body: shown, position: after?.position ?? null, isSecret, etag };
}

/** Waits until the read models show what was written. */
async function show(services: Services, { position, readModels }: NonNullable<Answer['after']>, requestId: string) {
  const isShown = await waitForReadModels(services, position ?? undefined, readModels);
  services.cached.forget(readModels);
  if (!isShown) services.log.warn({ requestId, position }, 'answered before the read models');
}

function withRuntime(services: Services, runtime: Services['runtime']): Services {
  return { ...services, runtime, deps: { ...services.deps, runtime } };
}
