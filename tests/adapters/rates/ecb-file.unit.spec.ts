// The bank's files are read to the letter, or not at all.
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { InvalidRatesFile, readEcbFile } from '../../../src/adapters/rates/ecb-file.js';

const refusal = (text: string): string => {
  try {
    readEcbFile(text);
  } catch (err) {
    expect(err).to.be.instanceOf(InvalidRatesFile);
    return String(err);
  }
  return 'nothing';
};

describe('a file of reference rates', () => {
  it('of all days is read with what was quoted on each', () => {
    const text = 'Date,USD,JPY,HRK,BGN,\n2026-04-13,1.1684,186.75,N/A,N/A,\n2026-04-10,1.17,N/A,7.5,N/A,\n';
    const file = readEcbFile(text);
    expect(file.days).to.deep.equal([
      { day: '2026-04-13', rates: { USD: '1.1684', JPY: '186.75' } },
      { day: '2026-04-10', rates: { USD: '1.17', HRK: '7.5' } },
    ]);
    expect(file.unknownCurrencies).to.deep.equal(['HRK']);
    expect(file.unquoted).to.deep.equal(['BGN']);
  });

  it('of one day writes dates and columns in another way', () =>
    expect(readEcbFile('Date, USD, JPY, \n13 April 2026, 1.1684, 186.75, \n').days).to.deep.equal([
      { day: '2026-04-13', rates: { USD: '1.1684', JPY: '186.75' } },
    ]));

  it('is the sample that comes with the product', () => {
    const sample = readEcbFile(readFileSync(new URL('../../../samples/eurofxref-sample.csv', import.meta.url), 'utf8'));
    expect(sample.days.length).to.be.greaterThan(5);
    for (const { day, rates } of sample.days) expect(rates, day).to.include.keys('USD', 'GBP', 'JPY');
  });

  it('that is something else is refused with the offending line', () => {
    expect(refusal('')).to.include('line 1: must begin with Date');
    expect(refusal('Date,EURO\n')).to.include('line 1: must begin with Date');
    expect(refusal('Date,JPY\n2026-04-13,1\n')).to.include('including USD');
    expect(refusal('Date,USD\n')).to.include('line 2: the file has no rates');
    expect(refusal('Date,USD\n2026-04-31,1.1\n')).to.include('line 2: "2026-04-31" is not a valid date');
    expect(refusal('Date,USD,GBP\n2026-04-13,1.1,1e3\n')).to.include('line 2: GBP is "1e3"');
    expect(refusal('Date,USD\n2026-04-13,-1\n')).to.include('line 2: USD is "-1"');
    expect(refusal('Date,USD\n2026-04-13,0\n')).to.include('line 2: USD is "0"');
    expect(refusal('Date,USD\n2026-04-13,1\n2026-04-13,2\n')).to.include('the file contains the same day twice');
    expect(refusal('Date,USD\n"2026-04-13,1\n')).to.include('not valid CSV');
  });
});
