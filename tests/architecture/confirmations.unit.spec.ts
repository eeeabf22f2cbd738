// The page asks before it deletes anything: every request that deletes is run by the one component that asks.
import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';

const PAGE = new URL('../../dashboard/src/', import.meta.url);
const files = readdirSync(PAGE, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.tsx'))
  .map((name) => ({ name, text: readFileSync(new URL(name, PAGE), 'utf8') }));

describe('the dashboard', () => {
  const deleting = files.filter(({ text }) => text.includes('api.DELETE('));

  it('has requests that delete', () => expect(deleting.length).to.be.above(10));

  for (const { name, text } of deleting) {
    it(`confirms each deleting request in ${name}`, () => {
      const requests = text.split('api.DELETE(').length - 1;
      const questions = [...text.matchAll(/<Confirm\b[^]*?\brun=\{/g)].length;
      expect(questions).to.be.at.least(requests);
    });
  }
});
