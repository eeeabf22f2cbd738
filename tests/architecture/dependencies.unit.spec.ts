// The dependency rule, over every file of the source: who may import whom, and what the domain may not touch.
import { readdirSync, readFileSync } from 'node:fs';
import { sep } from 'node:path';
import { expect } from 'chai';
import { borrowedErrors, brokenRules } from './source-rules.js';

const SOURCE = new URL('../../src/', import.meta.url);
const SIMULATOR = new URL('../../simulator/', import.meta.url);

/** Each is one finding that stands, and why. */
const exceptions: ReadonlyMap<string, string> = new Map([
  [
    'cli/books/books.ts: imports http/books/responses.ts',
    'the command prints a month in the form in which the API shows it',
  ],
  [
    'cli/timeline/customer-commands.ts: imports http/customers/present.ts',
    'the command prints an entry in the form in which the API shows it',
  ],
  [
    'commands/projects/app-secrets.ts: imports adapters/keys/vault.ts',
    'seals under master keys by pure functions of the vault, no driver',
  ],
]);

const textsIn = (folder: URL, prefix = '') =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => path.split(sep).join('/'))
    .filter((path) => path.endsWith('.ts'))
    .sort()
    .map((path) => [prefix + path, readFileSync(new URL(path, folder), 'utf8')] as const);
const texts = new Map([...textsIn(SOURCE), ...textsIn(SIMULATOR, 'simulator/')]);
const findings = [...[...texts].flatMap(([path, text]) => brokenRules(path, text)), ...borrowedErrors(texts)];

describe('the source', () => {
  it('keeps its rules', () => {
    expect(texts.size).to.be.above(50);
    expect(findings.filter((finding) => !exceptions.has(finding))).to.deep.equal([]);
  });

  it('needs each of its exceptions', () =>
    expect([...exceptions.keys()].filter((exception) => !findings.includes(exception))).to.deep.equal([]));
});

describe('the rules of the source', () => {
  const refused: readonly [string, string, string][] = [
    ['domain/a.ts', "import { runCommand } from '../commands/run-command.js';", 'imports commands/run-command.ts'],
    [
      'domain/user/a.ts',
      "import type { EventLog } from '../../adapters/event-log/port.js';",
      'imports adapters/event-log/port.ts',
    ],
    ['domain/a.ts', "import { readFileSync } from 'node:fs';", 'imports node:fs'],
    ['domain/a.ts', "import { randomBytes } from 'node:crypto';", 'imports randomBytes of node:crypto'],
    ['domain/a.ts', "import * as all from 'node:crypto';", 'imports * of node:crypto'],
    ['domain/a.ts', "export { pino } from 'pino';", 'imports pino'],
    ['domain/a.ts', "const a = await import('express');", 'imports express'],
    ['domain/a.ts', 'const a = Date.now();', 'reads the clock: Date.now()'],
    ['domain/a.ts', 'const a = DateTime.utc();', 'reads the clock: DateTime.utc()'],
    ['domain/a.ts', 'const a = new Date();', 'reads the clock: new Date()'],
    ['domain/a.ts', 'const a = Math.random();', 'names Math.random'],
    ['domain/a.ts', 'const a = process.env.HOME;', 'names process.env'],
    ['domain/a.ts', 'const a = crypto.randomUUID();', 'draws an id: randomUUID'],
    ['commands/a.ts', "import { customers } from '../projections/customers.js';", 'imports projections/customers.ts'],
    ['commands/a.ts', "import Database from '@photostructure/sqlite';", 'imports @photostructure/sqlite'],
    ['commands/a.ts', "import { lock } from '../adapters/sqlite/lock.js';", 'imports adapters/sqlite/lock.ts'],
    ['projections/a.ts', "import type { Deps } from '../commands/deps.js';", 'imports commands/deps.ts'],
    ['http/a.ts', "import { supervise } from '../workers/supervise.js';", 'imports workers/supervise.ts'],
    ['http/a.ts', "import { connect } from 'node:net';", 'imports node:net'],
    ['workers/a.ts', "import { createApp } from '../http/app.js';", 'imports http/app.ts'],
    ['adapters/a.ts', "import { load } from '../commands/run-command.js';", 'imports commands/run-command.ts'],
    ['simulator/a.ts', "import { isoFromMs } from '../domain/time.js';", 'imports domain/time.ts'],
    ['simulator/a.ts', "let a: import('../domain/envelope.js').Actor;", 'imports domain/envelope.ts'],
    ['commands/index.ts', '', 'is called index.ts'],
    ['commands/utils.ts', '', 'is called utils.ts'],
    ['commands/a.ts', 'const a: any = 1;', 'says any'],
    ['commands/a.ts', '\n'.repeat(251), 'has 251 lines'],
    [
      'projections/a.ts',
      "switch (event?.type) { case 'A': break; default: return doc; }",
      'passes over types of events without naming them: see touches() and remaining() in domain/events.ts',
    ],
  ];
  for (const [path, text, finding] of refused) {
    it(`are broken by ${JSON.stringify(text.slice(0, 70))} in ${path}`, () =>
      expect(brokenRules(path, text)).to.deep.equal([`${path}: ${finding}`]));
  }

  const port = 'export class Away extends Error {}\nexport const START = 0;\nexport class Busy extends Away {}';
  const borrowing: readonly [string, string, readonly string[]][] = [
    ['http/a.ts', "import { Away } from '../adapters/port.js';", ['imports only errors of adapters/port.ts']],
    ['http/a.ts', "import { Away, Busy } from '../adapters/port.js';", ['imports only errors of adapters/port.ts']],
    ['http/a.ts', "import { START, Away } from '../adapters/port.js';", []],
    ['adapters/a.ts', "import { Away } from './port.js';", []],
    ['cli/a.ts', "import { Away } from '../adapters/port.js';", []],
  ];
  for (const [path, text, found] of borrowing) {
    it(`${found.length > 0 ? 'are broken by' : 'allow'} ${JSON.stringify(text)} in ${path}`, () => {
      const all = new Map([
        ['adapters/port.ts', port],
        [path, text],
      ]);
      expect(borrowedErrors(all)).to.deep.equal(found.map((what) => `${path}: ${what}`));
    });
  }

  const allowed: readonly [string, string][] = [
    ['domain/a.ts', "import { z } from 'zod'; import { createHmac } from 'node:crypto'; const a = new Date(ms);"],
    ['domain/a.ts', 'const c = { now: 1 }; c.now; // Date.now() in words only'],
    ['commands/a.ts', "import { Unavailable } from '../adapters/event-log/port.js';"],
    ['commands/a.ts', "import type { Writer } from '../adapters/sqlite/writer.js';"],
    ['http/a.ts', "import { customers } from '../projections/customers.js';"],
    ['workers/a.ts', "import { createKeyedMutex } from '../commands/keyed-mutex.js';"],
    ['main.ts', "import { connect } from 'node:net';"],
    ['adapters/a.ts', "import Database from '@photostructure/sqlite';"],
    ['commands/a.ts', '\n'.repeat(250)],
    ['domain/a.ts', "switch (event.type) { case 'A': break; default: { remaining<'B'>(event); return; } }"],
  ];
  for (const [path, text] of allowed) {
    it(`allow ${JSON.stringify(text.slice(0, 70))} in ${path}`, () =>
      expect(brokenRules(path, text)).to.deep.equal([]));
  }
});
