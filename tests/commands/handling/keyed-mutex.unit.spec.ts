// The keyed mutex: work under one key runs in turn, work under different keys runs concurrently.
import { expect } from 'chai';
import { createKeyedMutex } from '../../../src/commands/handling/keyed-mutex.js';

function gate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open: () => open(), opened };
}

describe('the keyed mutex', () => {
  it('runs the work of one key in the order of asking, one at a time', async () => {
    const mutex = createKeyedMutex();
    const order: string[] = [];
    const first = gate();
    const one = mutex.run('a', async () => {
      order.push('one begins');
      await first.opened;
      order.push('one ends');
    });
    const two = mutex.run('a', async () => void order.push('two'));
    const three = mutex.run('a', async () => void order.push('three'));
    first.open();
    await Promise.all([one, two, three]);
    expect(order).to.deep.equal(['one begins', 'one ends', 'two', 'three']);
  });

  it('lets other keys pass', async () => {
    const mutex = createKeyedMutex();
    const first = gate();
    const one = mutex.run('a', () => first.opened);
    expect(await mutex.run('b', async () => 'passed')).to.equal('passed');
    first.open();
    await one;
  });

  it('passes results and failures on, and continues after a failure', async () => {
    const mutex = createKeyedMutex();
    const failed = mutex.run('a', async () => {
      throw new Error('no');
    });
    const next = mutex.run('a', async () => 'yes');
    expect(await failed.catch((err: unknown) => String(err))).to.equal('Error: no');
    expect(await next).to.equal('yes');
  });

  it('works again on a key that was idle', async () => {
    const mutex = createKeyedMutex();
    expect(await mutex.run('a', async () => 1)).to.equal(1);
    expect(await mutex.run('a', async () => 2)).to.equal(2);
  });
});
