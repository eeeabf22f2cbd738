// SQLite through one API: Node's own module where it is available without a flag and has the online backup (22.16 and later), otherwise the
// same API from a package.
import { createRequire } from 'node:module';
import type * as Sqlite from '@photostructure/sqlite';

export type Database = Sqlite.DatabaseSyncInstance;
type Engine = Pick<typeof Sqlite, 'DatabaseSync' | 'backup'>;

const require = createRequire(import.meta.url);
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const hasBuiltIn = major > 23 || (major === 23 && minor >= 8) || (major === 22 && minor >= 16);

export const { DatabaseSync, backup } = require(hasBuiltIn ? 'node:sqlite' : '@photostructure/sqlite') as Engine;
