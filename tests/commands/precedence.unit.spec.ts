// Receiving before working off: who gives way waits for a gap, and not for ever.
import { expect } from 'chai';
import { createPrecedence } from '../../src/commands/precedence.js';
import { msFromIso } from '../../src/domain/time.js';
import { BEGIN, fakeRuntime } from './memory-deps.js';

const NOW = msFromIso(BEGIN);
const TURNS = 50;

function gate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open: () => open(), opened };
}

/** A clock that stands still: who sleeps wakes by the signal alone. */
function standing() {
  const { runtime } = fakeRuntime();
  const sleep = (_ms: number, signal?: AbortSignal) =>
    new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve(), { once: true }));
  return { ...runtime, sleep };
}

async function turns(): Promise<void> {
  for (let i = 0; i < TURNS; i++) await new Promise((resolve) => setImmediate(resolve));
}

describe('precedence', () => {
  it('lets pass when nothing goes first', async () => {
    await createPrecedence(standing()).giveWay(NOW);
  });

  it('holds back until the last of what goes first has ended, well or badly', async () => {
    const precedence = createPrecedence(standing());
    const [one, two] = [gate(), gate()];
    const first = precedence.first(() => one.opened);
    const second = precedence.first(async () => {
      await two.opened;
      throw new Error('refused');
    });
    let hasPassed = false;
    const passing = precedence.giveWay(NOW).then(() => (hasPassed = true));
    await turns();
    one.open();
    await first;
    await turns();
    expect(hasPassed).to.equal(false);
    two.open();
    expect(await second.catch((err: unknown) => String(err))).to.equal('Error: refused');
    await passing;
  });

  it('sees what arrived together with the end of what went before', async () => {
    const precedence = createPrecedence(standing());
    const [one, two] = [gate(), gate()];
    const first = precedence.first(() => one.opened);
    let hasPassed = false;
    const passing = precedence.giveWay(NOW).then(() => (hasPassed = true));
    await turns();
    one.open();
    await first;
    const second = precedence.first(() => two.opened);
    await turns();
    expect(hasPassed).to.equal(false);
    two.open();
    await Promise.all([second, passing]);
  });

  it('puts nobody off for longer than ten seconds since it came', async () => {
    const { runtime, sleeps } = fakeRuntime();
    const precedence = createPrecedence(runtime);
    const never = gate();
    const first = precedence.first(() => never.opened);
    await precedence.giveWay(NOW - 4000);
    expect(sleeps).to.deep.equal([6000]);
    await precedence.giveWay(NOW - 4000);
    expect(sleeps).to.deep.equal([6000]);
    never.open();
    await first;
  });
});
