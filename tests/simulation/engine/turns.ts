// Drains promises, ticks and immediates between two steps of a simulation. Each iteration of the event loop polls the system for I/O, which
// a simulation does not have: many drains share one iteration.
const IN_A_ROUND = 256;

/** An immediate as Node stores it: the immediates of one iteration form a linked list. */
type Listed = { readonly _idleNext: unknown };

let left = 0;
let waiting: (() => void)[] = [];
/** Our last immediate of this iteration, and one of the next. Immediates of other code are queued after one of them. */
let markers: readonly Listed[] = [];

/** Resolves after all promises, ticks and immediates that follow from the current step have run. */
export function settle(): Promise<void> {
  if (left === 0) begin();
  return new Promise((resolve) => waiting.push(resolve));
}

function begin(): void {
  for (; left < IN_A_ROUND; left++) markers = [listed(take)];
}

function take(): void {
  left--;
  if (markers.length === 1) markers = [...markers, listed(() => undefined)];
  if (markers.some(({ _idleNext }) => _idleNext !== null)) {
    // Skips the rest of this iteration, so that the immediates of other code run first.
    if (left === 0 && waiting.length > 0) begin();
    return;
  }
  const resolved = waiting;
  waiting = [];
  for (const resolve of resolved) resolve();
}

function listed(run: () => void): Listed {
  return setImmediate(run) as unknown as Listed;
}
