// A new event does not compile until it states what it touches, and then in just those readers that it touches. Tried on programs in which
// each table has more events.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import ts from 'typescript';
import { customerConcerns, projectConcerns } from '../../src/domain/events.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const SOURCE = `${ROOT}src/`;

/** Each table, the line before which more events are put, and the concerns that they may touch. */
const tables = {
  'domain/project/events.ts': { before: '  ...memberEvents,\n', concerns: Object.keys(projectConcerns) },
  'domain/subscriber/events/events.ts': {
    before: '  ...subscriptionEvents,\n',
    concerns: Object.keys(customerConcerns),
  },
} as const;
type Table = keyof typeof tables;
const isTable = (path: string): path is Table => Object.hasOwn(tables, path);

/** An event of a project is known to its rules and is shown as a change; one of a customer has a sentence on the timeline. */
const readersOfAll = [
  'domain/project/state.ts',
  'projections/models/changes.ts',
  'projections/queries/timeline-summaries.ts',
];

/** `touches(table, event, 'charts')` and `TypesTouching<'charts'>`, not `.touching('charts')`, which is what an event states. */
const READING = /(?<!\.)\b\w*[tT]ouch(?:es|ing)[(<]([^)>\n]*'\w+')/g;

/** Files that know events of customers or of projects, or name the rest of a switch. */
const files = filesWith(
  /\b(KnownSubscriberEvent|SubscriberEvent|subscriberEvents|ProjectEvent|projectEvents|remaining<)/,
);
const readers = filesWith(READING).filter((path) => !isTable(path));

describe('a new event', () => {
  let program: ts.Program;
  before(function () {
    this.timeout(120_000);
    program = programWith(files, () => [STATES_NOTHING, definition('TouchesNothing', [])]);
  });

  it('does not compile in its table until it states what it touches', () => {
    const lines = Object.keys(tables).map((path) => errorsIn(program, path).map(lineOf));
    expect(lines).to.deep.equal([[STATES_NOTHING], [STATES_NOTHING]]);
  }).timeout(120_000);

  it('that touches nothing compiles everywhere else but in the readers of all events', () => {
    const others = files.filter((path) => !isTable(path));
    expect(others.filter((path) => errorsIn(program, path).length > 0)).to.deep.equal(readersOfAll);
  }).timeout(120_000);

  // Every other concern, so that half of the readers must compile each time.
  for (const half of [0, 1]) {
    it(`does not compile in just the readers of what it touches (half ${half + 1} of the concerns)`, () => {
      const touched = (path: Table) => tables[path].concerns.filter((_, i) => i % 2 === half);
      const changed = programWith(readers, (path) => touched(path).map((c) => definition(`Touches_${c}`, [c])));
      const all = Object.keys(tables).filter(isTable).flatMap(touched);
      const expected = readers.filter((path) => concernsOf(path).some((concern) => all.includes(concern)));
      expect(expected).to.have.length.within(5, readers.length - 5);
      expect(readers.filter((path) => errorsIn(changed, path).length > 0)).to.deep.equal(expected);
    }).timeout(120_000);
  }

  it('has a reader of each concern that it may touch', () => {
    const all = [...Object.keys(customerConcerns), ...Object.keys(projectConcerns)];
    expect(new Set(readers.flatMap(concernsOf))).to.have.all.keys(...all);
  });

  it('is named as one without a case of its own only where it has none', () => {
    const named = files.flatMap((path) => namedIn(program, path));
    expect(named).to.have.length.above(80);
    expect(named.filter(({ isPossible }) => !isPossible)).to.deep.equal([]);
  }).timeout(120_000);
});

function textOf(path: string): string {
  return readFileSync(SOURCE + path, 'utf8');
}

function filesWith(text: RegExp): readonly string[] {
  const all = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));
  return all.filter((path) => textOf(path).search(text) >= 0).sort();
}

function concernsOf(path: string): readonly string[] {
  const readings = [...textOf(path).matchAll(READING)].map(([, names = '']) => names);
  return readings.flatMap((names) => [...names.matchAll(/'(\w+)'/g)].map(([, concern = '']) => concern));
}

const STATES_NOTHING = "  StatesNothing: defineEvent('StatesNothing', {}),";

function definition(name: string, concerns: readonly string[]): string {
  return `  ${name}: defineEvent('${name}', {}).touching(${concerns.map((concern) => `'${concern}'`).join(', ')}),`;
}

const { config } = ts.readConfigFile(`${ROOT}tsconfig.json`, ts.sys.readFile);
const { options: own } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, ROOT);
const options: ts.CompilerOptions = { ...own, types: ['node'] };
/** Parsed once for all programs. */
const sources = new Map<string, ts.SourceFile | undefined>();

/** The files, and what they import, with more lines in each table. */
function programWith(paths: readonly string[], linesOf: (table: Table) => readonly string[]): ts.Program {
  const host = ts.createCompilerHost(options);
  const { getSourceFile } = host;
  host.getSourceFile = (name, version) => {
    const path = name.startsWith(SOURCE) ? name.slice(SOURCE.length) : '';
    if (isTable(path)) {
      const { before } = tables[path];
      const text = textOf(path);
      if (!text.includes(before)) throw new Error(`${path} has no line ${before}`);
      return ts.createSourceFile(name, text.replace(before, `${linesOf(path).join('\n')}\n${before}`), version);
    }
    if (!sources.has(name)) sources.set(name, getSourceFile(name, version));
    return sources.get(name);
  };
  return ts.createProgram({ rootNames: paths.map((path) => SOURCE + path), options, host });
}

function sourceOf(program: ts.Program, path: string): ts.SourceFile {
  const file = program.getSourceFile(SOURCE + path);
  if (!file) throw new Error(`${path} is not part of the program`);
  return file;
}

function errorsIn(program: ts.Program, path: string): readonly ts.Diagnostic[] {
  return program.getSemanticDiagnostics(sourceOf(program, path));
}

function lineOf({ file, start = 0 }: ts.Diagnostic): string | undefined {
  return file?.text.split('\n')[file.getLineAndCharacterOfPosition(start).line];
}

type NamedEvent = { readonly path: string; readonly name: string; readonly isPossible: boolean };

/** Returns the types named by `Left` in each `remaining<Left>(event)`, and whether the event can have that type there. */
function namedIn(program: ts.Program, path: string): readonly NamedEvent[] {
  const checker = program.getTypeChecker();
  const found: NamedEvent[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && node.expression.getText() === 'remaining') {
      const [left] = node.typeArguments ?? [];
      const [event] = node.arguments;
      if (!left || !event) throw new Error(`${path}: remaining() lacks its types or its event`);
      const possible = new Set(literalsOf(typeOfField(checker, event)));
      const named = literalsOf(checker.getTypeFromTypeNode(left));
      for (const name of named) found.push({ path, name, isPossible: possible.has(name) });
    }
    ts.forEachChild(node, visit);
  };
  visit(sourceOf(program, path));
  return found;
}

function typeOfField(checker: ts.TypeChecker, event: ts.Expression): ts.Type | undefined {
  const field = checker.getTypeAtLocation(event).getProperty('type');
  return field && checker.getTypeOfSymbolAtLocation(field, event);
}

function literalsOf(type: ts.Type | undefined): readonly string[] {
  const parts = type?.isUnion() ? type.types : type ? [type] : [];
  return parts.flatMap((part) => (part.isStringLiteral() ? [part.value] : []));
}
