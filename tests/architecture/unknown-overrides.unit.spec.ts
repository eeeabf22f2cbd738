// The rule of the linter that finds overrides of methods that the overridden value does not have (it runs over all sources with `npm run lint`).
import { expect } from 'chai';
import { Linter } from 'eslint';
import ts from 'typescript';
import tseslint from 'typescript-eslint';

/** Imported by its address: it is JavaScript, as the configuration of the linter, and has no types. */
const { href } = new URL('../../scripts/lint/no-unknown-override.js', import.meta.url);
const { noUnknownOverride } = (await import(href)) as { noUnknownOverride: object };

const FILE = 'sample.ts';
const DECLARATIONS = `
type Keys = { rotate(subject: string): string; erase?: () => void };
type Deps = { keys: Keys; now: () => number };
declare const deps: Deps;
declare const loose: any;
declare function use(given: Deps): void;
`;

/** Returns the names that the rule reports. */
function reportsOf(code: string): readonly string[] {
  const text = DECLARATIONS + code;
  const host = ts.createCompilerHost({});
  const source = ts.createSourceFile(FILE, text, ts.ScriptTarget.ES2023, true);
  host.getSourceFile = (name) => (name === FILE ? source : undefined);
  const program = ts.createProgram([FILE], { noLib: true, strict: true, types: [] }, host);
  const messages = new Linter().verify(
    text,
    [
      {
        files: [FILE],
        plugins: { own: { rules: { 'no-unknown-override': noUnknownOverride } } } as never,
        languageOptions: { parser: tseslint.parser, parserOptions: { programs: [program] } },
        rules: { 'own/no-unknown-override': 'error' },
      },
    ],
    FILE,
  );
  return messages.map(({ message }) => message);
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
      expect(report).to.match(/^deps(\.keys)? has no (turn|later), so that nobody calls this function/);
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
});
