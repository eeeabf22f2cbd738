// Names and comments are checked against a short table of words that said something else to each reader, with what to write instead.
import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import ts from 'typescript';

const ROOT = new URL('../../', import.meta.url);
const AREAS = ['src', 'simulator', 'bench', 'scripts', 'dashboard/src', 'tests'];

const files = AREAS.flatMap((area) =>
  readdirSync(new URL(`${area}/`, ROOT), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.d.ts'))
    .map((name) => `${area}/${name}`),
);

/** Words that are no noun: alone they name nothing. A type or a file is named by what it is. */
const NO_NOUNS: Readonly<Record<string, string>> = {
  Asked: 'a request or a query, such as `ChartRequest`',
  Begun: 'what has begun, such as `RequestInProgress`',
  Behind: 'the thing itself; behind is a place, after is later',
  Cared: 'a state, such as `EndpointState`',
  Found: 'what was found, such as `Match`',
  Gathered: 'what was gathered, such as `CustomerEntries`',
  Given: 'an input, such as `Options`',
  Held: 'a lease, a lock or a holder',
  Kept: '`Cached…` for a cache, `Stored…` for the log and documents, `Retained…` for history, `Queued…` for a queue',
  Known: 'what is known, such as `KnownEvent`',
  Made: 'a result, such as `CreatedKey`',
  Missed: 'what was missed, such as `MissedNotification`',
  Named: 'what has the name',
  Noted: 'a record or a notice',
  Picked: 'a filter or a selection',
  Said: 'a report, such as `ReportedState`',
  Seen: 'what was seen, such as `SeenDevice`',
  Shown: 'a view, such as `OfferingView`',
  Sorted: 'what is sorted, such as `ParsedUpdate`',
  Taken: 'what was taken, such as `Claim`',
  Viewed: 'a view',
  Written: 'a write, such as `RecentWrite`',
};

/** Two words for a limit make two searches of one. */
const LIMITS: Readonly<Record<string, string>> = {
  MOST: 'MAX',
  LONGEST: 'MAX',
  LEAST: 'MIN',
  SHORTEST: 'MIN',
};

/** A comment that begins like this is a clause without a subject: the reader must find what it is about. */
const HEADLESS = /^(Of|What|Who|Whom|Whose|Where|Whether|How|By|As) /;

/** A single participle names nothing; `Feed` is a noun. */
const PARTICIPLE = /^(?!Feed$)[A-Z][a-z]+ed$/;

function insteadOfType(name: string): string | undefined {
  return NO_NOUNS[name] ?? (PARTICIPLE.test(name) ? 'a noun, such as `Parked…` of what is parked' : undefined);
}

type Finding = { readonly place: string; readonly name: string; readonly instead: string };

const parse = (file: string) =>
  ts.createSourceFile(file, readFileSync(new URL(file, ROOT), 'utf8'), ts.ScriptTarget.Latest, true);

/** Participles that are common names of variables: a result, a former value, an order. */
const COMMON_VARIABLES = new Set(['found', 'known', 'sorted']);

function insteadOfVariable(name: string): string | undefined {
  return COMMON_VARIABLES.has(name) ? undefined : NO_NOUNS[name.charAt(0).toUpperCase() + name.slice(1)];
}

type DeclaredNames = { readonly types: string[]; readonly constants: string[]; readonly variables: string[] };

/** Returns the declared names; names that a destructured property gives to its variable are not declared here. */
function declaredNames(source: ts.SourceFile): DeclaredNames {
  const types: string[] = [];
  const constants: string[] = [];
  const variables: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTypeAliasDeclaration(node) || ts.isInterfaceDeclaration(node) || ts.isClassDeclaration(node))
      if (node.name) types.push(node.name.text);
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name)) constants.push(node.name.text);
    const isNamedHere = ts.isVariableDeclaration(node) || ts.isParameter(node) || isAlias(node);
    if (isNamedHere && ts.isIdentifier(node.name)) variables.push(node.name.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return { types, constants, variables };
}

function isAlias(node: ts.Node): node is ts.BindingElement {
  return ts.isBindingElement(node) && node.propertyName !== undefined;
}

/** First words of the file's header, of doc comments and of comments on a line of their own. */
function commentsOf(text: string): string[] {
  const docs = [...text.matchAll(/\/\*\*\s*(?:\n\s*\* )?([^\n]*)/g)].map(([, first = '']) => first);
  const lines = text.split('\n');
  const header = lines[0]?.startsWith('// ') ? [lines[0].slice(3)] : [];
  return [...header, ...docs];
}

function expectNone(findings: readonly Finding[]): void {
  expect(findings.map(({ place, name, instead }) => `${place}: ${name}; write ${instead}`)).to.deep.equal([]);
}

describe('the language of the source', () => {
  const sources = files.map((file) => ({ file, source: parse(file) }));

  it('has files to check', () => expect(files).to.have.length.above(500));

  it('names types by nouns', () => {
    expectNone(
      sources.flatMap(({ file, source }) =>
        declaredNames(source).types.flatMap((name) => {
          const instead = insteadOfType(name);
          return instead === undefined ? [] : [{ place: file, name: `type ${name}`, instead }];
        }),
      ),
    );
  });

  it('names variables by nouns', () => {
    expectNone(
      sources
        .filter(({ file }) => !file.startsWith('tests/'))
        .flatMap(({ file, source }) =>
          declaredNames(source).variables.flatMap((name) => {
            const instead = insteadOfVariable(name);
            return instead === undefined ? [] : [{ place: file, name, instead }];
          }),
        ),
    );
  });

  it('names files by nouns', () => {
    expectNone(
      files.flatMap((file) => {
        const [base = ''] = file.split('/').at(-1)?.split('.') ?? [];
        const word = base.charAt(0).toUpperCase() + base.slice(1);
        const instead = NO_NOUNS[word];
        return instead === undefined ? [] : [{ place: file, name: base, instead }];
      }),
    );
  });

  it('names limits by MAX_ and MIN_', () => {
    expectNone(
      sources.flatMap(({ file, source }) =>
        declaredNames(source).constants.flatMap((name) => {
          const [first = ''] = name.split('_');
          const instead = name.includes('_') ? LIMITS[first] : undefined;
          return instead === undefined
            ? []
            : [{ place: file, name, instead: `${instead}_${name.slice(first.length + 1)}` }];
        }),
      ),
    );
  });

  it('begins comments with a subject or a verb', () => {
    expectNone(
      sources.flatMap(({ file, source }) =>
        commentsOf(source.text)
          .filter((comment) => HEADLESS.test(comment))
          .map((comment) => ({
            place: file,
            name: comment.slice(0, 60),
            instead: 'a sentence: subject, verb, object',
          })),
      ),
    );
  });
});
