// A writer module for the spec of the writer thread: stores texts, throws on the text `bad`, and takes a second for `slow`. Not TypeScript, so that threads of the
// compiled program load it as well.

/** @param {import('../../../src/adapters/sqlite/database.js').Database} db */
export function writer(db) {
  db.exec('CREATE TABLE IF NOT EXISTS texts (text TEXT)');
  const add = db.prepare('INSERT INTO texts VALUES (?)');
  const count = db.prepare('SELECT count(*) AS n FROM texts');
  return (text) => {
    add.run(text);
    if (text === 'slow') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
    if (text === 'bad') throw new Error('this text is bad');
    return count.get().n;
  };
}
