// No regular expression of the product takes long on a long text, whoever sent it: one that backtracks would hold up every other request.
import { readdirSync, readFileSync } from 'node:fs';
import { sep } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { expect } from 'chai';
import ts from 'typescript';

const SOURCE = new URL('../../src/', import.meta.url);
const LENGTH = 5_000;
/** Quadratic patterns backtrack more than 600 times for each character of texts this long, those of the product less than ten times. */
const MAX_BACKTRACKS = 100 * LENGTH;

/** Pumps: what nested or neighbouring repetitions run over, ending in what they cannot take. */
const pumps = ['a', '0', ' ', '-', '.', '/', ':', ',', '=', '\t', '\n', 'a.', '0-', 'a@', '%0', ' a', '\\', 'é', 'A0'];
const texts = pumps.flatMap((pump) => ['', '!', '\u0000', '@'].map((end) => pump.repeat(LENGTH / pump.length) + end));

/** Files that build a pattern from a text, and why that text is safe. */
const makers: ReadonlyMap<string, string> = new Map([
  ['http/charts/chart-filters.ts', 'of the prefix of an id, which stands in the same file'],
]);

const slowPatterns: readonly (readonly [string, RegExp])[] = [
  ['exponential', /^(a+)+$/],
  ['exponential', /^(?:a|a)*$/y],
  ['quadratic', /\s+$/],
  ['quadratic', /^a*a*$/m],
  ['quadratic', /(?:a\.)+@/],
  ['quadratic', /(?<=^a*)b|a+c/],
];
const fastPatterns = [/^a+$/, /^\s+|(?<!\s)\s+$/, /^[a-z.]{1,200}$/, /^(?:a\.)*b/y];

type Pattern = { readonly file: string; readonly line: number; readonly regExp: RegExp };

const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  .map((path) => path.split(sep).join('/'))
  .filter((path) => path.endsWith('.ts'));

function walk(file: string, visit: (node: ts.Node, source: ts.SourceFile) => void): void {
  const text = readFileSync(new URL(file, SOURCE), 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  const each = (node: ts.Node): void => {
    visit(node, source);
    ts.forEachChild(node, each);
  };
  each(source);
}

function patterns(): readonly Pattern[] {
  const found: Pattern[] = [];
  for (const file of files) {
    walk(file, (node, source) => {
      if (!ts.isRegularExpressionLiteral(node)) return;
      const end = node.text.lastIndexOf('/');
      const regExp = new RegExp(node.text.slice(1, end), node.text.slice(end + 1));
      found.push({ file, line: source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1, regExp });
    });
  }
  return found;
}

/**
 * V8 itself counts the backtracks and gives up after the maximum, so that the load of the machine changes nothing; without optimization it
 * counts each turn of a loop as well. The pattern is extended so that every text matches, at its end at the latest, unless V8 gave up.
 */
function backtracksTooOften({ source, flags }: RegExp, text: string): boolean {
  const orAtTheEnd = flags.includes('y') ? '(?:)' : '(?![^])';
  return !limited(`(?:${source})|${orAtTheEnd}`, flags).test(text);
}

function limited(source: string, flags: string): RegExp {
  // TypeScript does not know the syntax, which a flag of V8 allows.
  // oxlint-disable-next-line typescript/no-implied-eval
  const make = new Function('source', 'flags', 'limit', 'return %NewRegExpWithBacktrackLimit(source, flags, limit)');
  return (make as (...given: unknown[]) => RegExp)(source, flags, MAX_BACKTRACKS);
}

function textsBacktrackedIn(regExp: RegExp): readonly string[] {
  return texts.filter((text) => backtracksTooOften(regExp, text)).map((text) => JSON.stringify(text.slice(0, 8)));
}

describe('regular expressions', function () {
  this.timeout(120_000);

  before(() => ['--allow-natives-syntax', '--no-regexp-optimization'].forEach(setFlagsFromString));
  after(() => ['--no-allow-natives-syntax', '--regexp-optimization'].forEach(setFlagsFromString));

  it('backtrack on no long text more often than in proportion to its length', () => {
    const all = patterns();
    expect(all).to.have.length.above(80);
    const slow = all.flatMap(({ file, line, regExp }) =>
      textsBacktrackedIn(regExp).map((text) => `${file}:${line} ${regExp} on ${text}`),
    );
    expect(slow).to.deep.equal([]);
  });

  for (const [kind, regExp] of slowPatterns) {
    it(`are reported when they are ${kind}: ${regExp}`, () => expect(textsBacktrackedIn(regExp)).not.to.deep.equal([]));
  }

  for (const regExp of fastPatterns) {
    it(`are not reported when they are linear: ${regExp}`, () => expect(textsBacktrackedIn(regExp)).to.deep.equal([]));
  }

  it('are never built from request data', () => {
    const made: string[] = [];
    for (const file of files) {
      walk(file, (node, source) => {
        if (ts.isNewExpression(node) && node.expression.getText(source) === 'RegExp') made.push(file);
      });
    }
    expect(made).to.deep.equal([...makers.keys()]);
  });
});
