// A writer module for the spec of the writer thread: stores texts, throws on the text `bad`.
import type { Database } from '../../../src/adapters/sqlite/database.js';

export function writer(db: Database): (text: string) => number {
  db.exec('CREATE TABLE IF NOT EXISTS texts (text TEXT)');
  const add = db.prepare('INSERT INTO texts VALUES (?)');
  const count = db.prepare('SELECT count(*) AS n FROM texts');
  return (text) => {
    add.run(text);
    if (text === 'bad') throw new Error('this text is bad');
    return count.get().n;
  };
}
