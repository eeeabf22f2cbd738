// Turns of the event loop, in which all follows that needs no waiting. Each round of the loop asks the system for news, of which a world has
// none: so many turns are taken in one round.
const IN_A_ROUND = 256;

/** An immediate as Node keeps it: those that are called in one round are a list. */
type Listed = { readonly _idleNext: unknown };

let left = 0;
let waiting: (() => void)[] = [];
/** The last of ours in this round, and one in the next: what anybody else puts off stands behind one of them. */
let markers: readonly Listed[] = [];

/** All promises, ticks and immediates that follow have been called when it resolves. */
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
    // The rest of the round is left out: the others have their turn behind it.
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
