// The generated pages are what the code generates today.
import { expect } from 'chai';
import { committed } from '../../scripts/openapi/generate.js';
import { generate } from '../../scripts/docs/generate.js';

describe('generated pages', () => {
  it('are up to date; if not, run npm run docs', async () => {
    const generated = await generate();
    for (const { file, text } of generated) {
      expect(committed(file) === text, `${file.pathname} is stale: run npm run docs`).to.equal(true);
    }
    expect(generated).to.have.length(5);
  }).timeout(120_000);
});
