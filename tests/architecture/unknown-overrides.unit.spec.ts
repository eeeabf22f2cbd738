// `{ ...value, method: () => … }` in the place of a value must not set a method that the value does not have. The compiler accepts it, since
// it does not look for excess properties beside a spread, and a test that replaces a renamed method then tests nothing.
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

type Override = ts.PropertyAssignment | ts.MethodDeclaration;

/** Returns a sentence for each override of an unknown method in the file. */
function unknownOverrides(program: ts.Program, file: ts.SourceFile): readonly string[] {
  const checker = program.getTypeChecker();
  const found: string[] = [];

  /** Returns true if the type has the property, or may have any. */
  const has = (type: ts.Type, name: string): boolean =>
    (type.flags & ts.TypeFlags.Any) !== 0 ||
    (type.isUnion() ? type.types : [type]).some(
      (one) =>
        checker.getPropertyOfType(checker.getApparentType(one), name) !== undefined ||
        checker.getIndexInfoOfType(one, ts.IndexKind.String) !== undefined,
    );

  /** Returns true if the object stands where a value of the same kind is expected: by its type, or as `part: { ...whole.part }`. */
  const standsInFor = (node: ts.ObjectLiteralExpression, spreads: readonly ts.Expression[], name: string): boolean => {
    const expected = checker.getContextualType(node);
    if (expected !== undefined && (expected.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) === 0)
      return !has(expected, name);
    const { parent } = node;
    if (!ts.isPropertyAssignment(parent) || !ts.isIdentifier(parent.name)) return false;
    const { text } = parent.name;
    return spreads.some((spread) => ts.isPropertyAccessExpression(spread) && spread.name.text === text);
  };

  const look = (node: ts.Node): void => {
    if (ts.isObjectLiteralExpression(node)) {
      const spreads = node.properties.filter(ts.isSpreadAssignment).map(({ expression }) => expression);
      for (const override of spreads.length === 0 ? [] : node.properties.filter(isOverride)) {
        const name = nameOf(override);
        if (name === null || spreads.some((spread) => has(checker.getTypeAtLocation(spread), name))) continue;
        if (!standsInFor(node, spreads, name)) continue;
        const line = file.getLineAndCharacterOfPosition(override.getStart(file)).line + 1;
        const spread = spreads.map((one) => one.getText(file)).join(' or ');
        found.push(`${file.fileName}:${line}: ${spread} has no ${name}, so that nobody calls this function`);
      }
    }
    ts.forEachChild(node, look);
  };
  look(file);
  return found;
}

function isOverride(property: ts.ObjectLiteralElementLike): property is Override {
  if (ts.isMethodDeclaration(property)) return true;
  if (!ts.isPropertyAssignment(property)) return false;
  return ts.isArrowFunction(property.initializer) || ts.isFunctionExpression(property.initializer);
}

function nameOf({ name }: Override): string | null {
  return ts.isIdentifier(name) || ts.isStringLiteralLike(name) ? name.text : null;
}

const FILE = 'sample.ts';
const DECLARATIONS = `
type Keys = { rotate(subject: string): string; erase?: () => void };
type Deps = { keys: Keys; now: () => number };
declare const deps: Deps;
declare const loose: any;
declare function use(given: Deps): void;
`;

function reportsOf(code: string): readonly string[] {
  const host = ts.createCompilerHost({});
  const source = ts.createSourceFile(FILE, DECLARATIONS + code, ts.ScriptTarget.ES2023, true);
  host.getSourceFile = (name) => (name === FILE ? source : undefined);
  const program = ts.createProgram([FILE], { noLib: true, strict: true, types: [] }, host);
  return unknownOverrides(program, source);
}

/** Returns the findings in all files of a project. */
function findingsIn(project: string): readonly string[] {
  const { config } = ts.readConfigFile(`${ROOT}${project}/tsconfig.json`, ts.sys.readFile);
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, `${ROOT}${project}`);
  const program = ts.createProgram(fileNames, options);
  const own = program.getSourceFiles().filter(({ fileName }) => !/\/node_modules\/|\.(js|d\.ts)$/.test(fileName));
  expect(own).to.have.length.above(100);
  return own.flatMap((file) => unknownOverrides(program, file));
}

describe('an override of a method that the value does not have', () => {
  const found: readonly (readonly [where: string, code: string])[] = [
    ['in the place of a part', 'const raced = { ...deps, keys: { ...deps.keys, turn: () => "" } };'],
    ['in an argument', 'use({ ...deps, later: () => 1 });'],
    ['in a variable with a type', 'const cut: Keys = { ...deps.keys, async turn() {} };'],
  ];
  for (const [where, code] of found) {
    it(`is found ${where}`, () => {
      const [report, ...more] = reportsOf(code);
      expect(report).to.match(/: deps(\.keys)? has no (turn|later), so that nobody calls this function$/);
      expect(more).to.deep.equal([]);
    });
  }

  it('is not reported for an existing name, an additional one, and where any name is allowed', () => {
    const code = `
      const raced = { ...deps, keys: { ...deps.keys, rotate: () => "", erase: () => {} } };
      use({ ...deps, now: () => 1 });
      const fixture = { ...deps, advance: () => 1 };
      const wide: Keys & { more: () => void } = { ...deps.keys, more: () => {} };
      const other = { ...deps, keys: { ...loose.keys, turn: () => "" } };`;
    expect(reportsOf(code)).to.deep.equal([]);
  });

  for (const project of ['.', 'dashboard']) {
    it(`is nowhere in the project ${project}`, () => {
      expect(findingsIn(project)).to.deep.equal([]);
    }).timeout(120_000);
  }
});
