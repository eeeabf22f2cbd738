// A new event is a compile error in every reader until the reader names it. Tried on a program in which there is one more.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const SOURCE = `${ROOT}src/`;
const EVENTS = 'domain/subscriber/events/events.ts';
const LAST = "  ExperimentEnrolled: defineEvent('ExperimentEnrolled', enrolment),\n";
const ONE_MORE = "  CustomerPraised: defineEvent('CustomerPraised', {}),\n";

/** Files that distinguish the types of a subscriber's events; one that checks for a single type does not count. */
const readers = [
  'domain/charts/history/record.ts',
  'domain/charts/history/withdraw.ts',
  'domain/subscriber/arrival/line-history.ts',
  'domain/subscriber/state/evolve-subscription.ts',
  'domain/subscriber/state/evolve-transactions.ts',
  'domain/subscriber/state/evolve.ts',
  'domain/subscriber/state/notes.ts',
  'domain/subscriber/state/spent.ts',
  'domain/webhook/messages.ts',
  'projections/charts/customer-histories.ts',
  'projections/models/customers.ts',
  'projections/models/transactions.ts',
  'projections/queries/setup-status.ts',
  'projections/queries/timeline-revisions.ts',
  'projections/queries/timeline-summaries.ts',
];

describe('readers of events', () => {
  let program: ts.Program;
  before(function () {
    this.timeout(60_000);
    program = programWith(EVENTS, (text) => text.replace(LAST, LAST + ONE_MORE));
  });

  it('of subscribers do not compile when an event is not handled', () => {
    expect(textOf(EVENTS)).to.include(LAST);
    expect(readers.filter((path) => errorsIn(program, path).length === 0)).to.deep.equal([]);
  }).timeout(60_000);

  it('name only types that have no case of their own', () => {
    const all = filesWith('remaining<').flatMap((path) => namedIn(program, path));
    expect(all).to.have.length.above(300);
    expect(all.filter(({ isPossible }) => !isPossible)).to.deep.equal([]);
  }).timeout(60_000);
});

function textOf(path: string): string {
  return readFileSync(SOURCE + path, 'utf8');
}

function filesWith(text: string): readonly string[] {
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));
  return files.filter((path) => textOf(path).includes(text)).sort();
}

/** All readers, and what they import, with another text in one file. */
function programWith(path: string, change: (text: string) => string): ts.Program {
  const { config } = ts.readConfigFile(`${ROOT}tsconfig.json`, ts.sys.readFile);
  const { options: own } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, ROOT);
  const options = { ...own, types: ['node'] };
  const host = ts.createCompilerHost(options);
  const { readFile } = host;
  host.readFile = (name) => {
    const text = readFile(name);
    return text !== undefined && name === SOURCE + path ? change(text) : text;
  };
  const rootNames = [...new Set([...readers, ...filesWith('remaining<')])].map((file) => SOURCE + file);
  return ts.createProgram({ rootNames, options, host });
}

function sourceOf(program: ts.Program, path: string): ts.SourceFile {
  const file = program.getSourceFile(SOURCE + path);
  if (!file) throw new Error(`${path} is not part of the program`);
  return file;
}

function errorsIn(program: ts.Program, path: string): readonly ts.Diagnostic[] {
  return program.getSemanticDiagnostics(sourceOf(program, path));
}

type Named = { readonly path: string; readonly name: string; readonly isPossible: boolean };

/** What `Left` names in each `remaining<Left>(event)`, and whether the event can be of that type there. */
function namedIn(program: ts.Program, path: string): readonly Named[] {
  const checker = program.getTypeChecker();
  const found: Named[] = [];
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
