// Tables are opened in spreadsheets, and what stands in them was sent by anybody.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { stringify } from 'csv-stringify/sync';
import { csvRules } from '../../src/adapters/csv.js';

const SOURCES = new URL('../../src/', import.meta.url).pathname;

describe('a table', () => {
  it('contains no formula from user input', () => {
    const names = ['=1+1', '+1', '-1+1', '@SUM(A1)', '\t=1', '\r=1', '=HYPERLINK("https://example.com","x")'];
    for (const name of names) {
      const [cell = ''] = stringify([[name]], csvRules).split(/\n$/);
      expect(cell.replace(/^"/, '').charAt(0), name).to.equal("'");
    }
  });

  it('leaves numbers, and texts that are no formulas, as they are', () =>
    expect(stringify([[-9.99, 0, 'a=b', '2026-01-01', true, null]], csvRules)).to.equal(
      '-9.99,0,a=b,2026-01-01,true,\n',
    ));

  it('is written by these rules wherever the product writes one', () => {
    const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((f) => f.endsWith('.ts'));
    const writing = files.filter((f) => readFileSync(join(SOURCES, f), 'utf8').includes("from 'csv-stringify"));
    expect(writing).not.to.deep.equal([]);
    for (const file of writing) {
      const text = readFileSync(join(SOURCES, file), 'utf8');
      const calls = text.match(/\bstringify\(.*/g) ?? [];
      for (const call of calls) expect(call, file).to.include('csvRules');
    }
  });
});
