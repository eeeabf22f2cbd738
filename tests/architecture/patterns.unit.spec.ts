// No regular expression of the product takes long on a long text, whoever sent it: one that backtracks would hold up every other request.
import { readdirSync, readFileSync } from 'node:fs';
import { sep } from 'node:path';
import { expect } from 'chai';
import ts from 'typescript';

const SOURCE = new URL('../../src/', import.meta.url);
const LENGTH = 20_000;
/** Of the processor, not of the clock. A pattern that backtracks takes seconds at this length, or for ever. */
const MOST_MS = 300;

/** Pumps: what nested or neighbouring repetitions run over, ending in what they cannot take. */
const pumps = ['a', '0', ' ', '-', '.', '/', ':', ',', '=', '\t', '\n', 'a.', '0-', 'a@', '%0', ' a', '\\', 'é', 'A0'];
const texts = pumps.flatMap((pump) => ['', '!', '\u0000', '@'].map((end) => pump.repeat(LENGTH / pump.length) + end));

/** Who makes a pattern of a text, and why that text is nobody's. */
const makers: ReadonlyMap<string, string> = new Map([
  ['http/charts/chart-filter-values.ts', 'of the prefix of an id, which stands in the same file'],
]);

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

/** Milliseconds of the processor. */
function timeOf(regExp: RegExp, text: string): number {
  regExp.lastIndex = 0;
  const before = process.cpuUsage();
  regExp.test(text);
  return process.cpuUsage(before).user / 1000;
}

describe('regular expressions', function () {
  this.timeout(120_000);

  it('take no long time on any long text', () => {
    const all = patterns();
    expect(all).to.have.length.above(80);
    const slow: string[] = [];
    for (const { file, line, regExp } of all) {
      for (const text of texts) {
        // Compiling and collecting garbage in other threads count as well: the least of three is the pattern's own.
        if (timeOf(regExp, text) > MOST_MS && Math.min(timeOf(regExp, text), timeOf(regExp, text)) > MOST_MS)
          slow.push(`${file}:${line} ${regExp} on ${JSON.stringify(text.slice(0, 8))}`);
      }
    }
    expect(slow).to.deep.equal([]);
  });

  it('are never made of what somebody sent', () => {
    const made: string[] = [];
    for (const file of files) {
      walk(file, (node, source) => {
        if (ts.isNewExpression(node) && node.expression.getText(source) === 'RegExp') made.push(file);
      });
    }
    expect(made).to.deep.equal([...makers.keys()]);
  });
});
