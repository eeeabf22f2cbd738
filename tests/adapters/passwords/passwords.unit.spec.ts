// Passwords in their worker thread: right and wrong, nobody's, the bound of the queue, closing.
import { expect } from 'chai';
import { Unavailable } from '../../../src/domain/errors.js';
import type { Passwords } from '../../../src/adapters/passwords/port.js';
import { createPasswords } from '../../../src/adapters/passwords/worker.js';

describe('passwords', () => {
  let passwords: Passwords;
  before(() => {
    passwords = createPasswords({ cost: 4 });
  });
  after(() => passwords.close());

  it('knows the password again, and no other', async () => {
    const hash = await passwords.hash('correct horse battery');
    expect(hash).to.match(/^\$2b\$04\$/);
    expect(await passwords.verify('correct horse battery', hash)).to.equal(true);
    expect(await passwords.verify('correct horse batterz', hash)).to.equal(false);
  });

  it('answers each of many callers with its own result', async () => {
    const hash = await passwords.hash('password of mine');
    const asked = Array.from({ length: 20 }, (_, i) => i % 3 === 0);
    const results = await Promise.all(
      asked.map((isMine) => passwords.verify(isMine ? 'password of mine' : 'other', hash)),
    );
    expect(results).to.deep.equal(asked);
  });

  it('never accepts a password for an unknown user', async () => {
    expect(await passwords.verifyDummy('anything at all')).to.equal(false);
  });

  it('rejects a stored hash of another algorithm, and continues', async () => {
    const outcome: unknown = await passwords.verify('x', '$argon2id$v=19$abc').catch((err: unknown) => err);
    expect(outcome).to.be.instanceOf(Error).and.to.have.property('message').that.contains('unknown algorithm');
    expect(await passwords.hash('and on it goes')).to.be.a('string');
  });

  it('runs one, queues twenty, and rejects the rest with a retry', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 25 }, () => passwords.hash('a crowd at the door')));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).to.have.length(21);
    const refused = outcomes.flatMap((o) => (o.status === 'rejected' ? [o.reason as unknown] : []));
    expect(refused).to.have.length(4);
    for (const err of refused) expect(err).to.be.instanceOf(Unavailable).and.to.have.property('retryAfterSeconds', 5);
  });

  it('does not block the event loop', async () => {
    const dear = createPasswords({ cost: 11 });
    let isDone = false;
    let turns = 0;
    const turn = () => {
      turns++;
      if (!isDone) setImmediate(turn);
    };
    const hashed = Promise.all(Array.from({ length: 3 }, () => dear.hash('a crowd at the door')));
    setImmediate(turn);
    await hashed;
    isDone = true;
    await dear.close();
    // On this thread the hashes would leave one turn in each tenth of a second.
    expect(turns).to.be.above(200);
  });

  it('recognises hashes of a lower cost', async () => {
    const hash = await passwords.hash('made under the old cost');
    const dearer = createPasswords({ cost: 5 });
    expect(passwords.isOutdated(hash)).to.equal(false);
    expect(dearer.isOutdated(hash)).to.equal(true);
    await dearer.close();
  });

  it('finishes its queue before it closes, and accepts nothing after', async () => {
    const closing = createPasswords({ cost: 4 });
    const asked = closing.hash('just before the end');
    await closing.close();
    expect(await asked).to.be.a('string');
    expect(await closing.hash('too late').catch((err: unknown) => err)).to.be.instanceOf(Unavailable);
  });
});
