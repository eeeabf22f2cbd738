// Prints the changelog of the version in package.json. Run by `npm run release-notes`.
import { readFileSync } from 'node:fs';
import { notesOf } from './notes.js';

const root = new URL('../../', import.meta.url);
const { version } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as { version: string };
process.stdout.write(notesOf(readFileSync(new URL('CHANGELOG.md', root), 'utf8'), version));
