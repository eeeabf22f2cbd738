// Drains promises, ticks and immediates between two steps of a simulation. Each iteration of the event loop polls the system for I/O, which
// a simulation does not have: many drains share one iteration.
const DRAINS_PER_ITERATION = 256;

/** An immediate as Node stores it: the immediates of one iteration form a linked list. */
type LinkedImmediate = { readonly _idleNext: unknown };

let remaining = 0;
let waitingResolvers: (() => void)[] = [];
/** Our last immediate of this iteration, and one of the next. Immediates of other code are queued after one of them. */
let markers: readonly LinkedImmediate[] = [];

/** Resolves after all promises, ticks and immediates that follow from the current step have run. */
export function drainEventLoop(): Promise<void> {
  if (remaining === 0) startIteration();
  return new Promise((resolve) => waitingResolvers.push(resolve));
}

function startIteration(): void {
  for (; remaining < DRAINS_PER_ITERATION; remaining++) markers = [scheduleImmediate(runDrain)];
}

function runDrain(): void {
  remaining--;
  if (markers.length === 1) markers = [...markers, scheduleImmediate(() => undefined)];
  if (markers.some(({ _idleNext }) => _idleNext !== null)) {
    // Skips the rest of this iteration, so that the immediates of other code run first.
    if (remaining === 0 && waitingResolvers.length > 0) startIteration();
    return;
  }
  const resolved = waitingResolvers;
  waitingResolvers = [];
  for (const resolve of resolved) resolve();
}

function scheduleImmediate(run: () => void): LinkedImmediate {
  return setImmediate(run) as unknown as LinkedImmediate;
}
