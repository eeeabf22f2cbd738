// A process of its own for the spec of files that another process reads: has a file read, reports the reader, and waits to be ended.
import { readdirSync, readFileSync } from 'node:fs';
import { importFilesElsewhere } from '../../../src/main/imports/read-elsewhere.js';
import { importOptions } from '../../../src/domain/imports/context.js';
import { report } from '../../adapters/child.js';

const paths = process.argv.slice(2);
const source = importFilesElsewhere({ maxMiB: 1, maxRows: 100 }).openSource(paths);
const request = { paths, projectId: 'proj_1', options: importOptions.parse({}), now: '2026-11-01T00:00:00.000Z' };
await source.read(request, { progress: () => undefined, signal: new AbortController().signal });
const tasks = readdirSync('/proc/self/task').map((task) => readFileSync(`/proc/self/task/${task}/children`, 'utf8'));
// The last process that was started: the loader of TypeScript may have one as well.
report(tasks.join(' ').split(' ').filter(Boolean).at(-1) ?? '');
process.stdin.resume();
