// A process that writes the same number to two files, first to one, then to the other, until it is killed.
import { openForWriting } from '../../../src/adapters/sqlite/database.js';
import { report } from '../child.js';

const statements = process.argv.slice(2).map((file) => {
  const db = openForWriting(file);
  db.exec('CREATE TABLE IF NOT EXISTS numbers (n INTEGER, filling BLOB)');
  return db.prepare('INSERT INTO numbers VALUES (?, randomblob(3000))');
});

for (let n = 1; ; n++) {
  for (const statement of statements) statement.run(n);
  if (n === 1) report('writing');
}
