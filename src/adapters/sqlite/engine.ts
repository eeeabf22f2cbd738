// SQLite through one API: Node's own module where there is one without a flag (22.13 and later), the same API from a package before.
import { createRequire } from 'node:module';
import type * as Sqlite from '@photostructure/sqlite';

export type Database = Sqlite.DatabaseSyncInstance;
type DatabaseConstructor = typeof Sqlite.DatabaseSync;

const require = createRequire(import.meta.url);
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const hasOwn = major > 22 || (major === 22 && minor >= 13);

export const DatabaseSync: DatabaseConstructor = (
  require(hasOwn ? 'node:sqlite' : '@photostructure/sqlite') as { DatabaseSync: DatabaseConstructor }
).DatabaseSync;
