// The generated files that are committed are what the route table generates today.
import { expect } from 'chai';
import { committed, generate } from '../../scripts/openapi/generate.js';

describe('generated files', () => {
  it('are up to date; if not, run npm run openapi', async () => {
    const generated = await generate();
    for (const { file, text } of generated) {
      expect(committed(file) === text, `${file.pathname} is stale: run npm run openapi`).to.equal(true);
    }
    expect(generated).to.have.length(2);
  }).timeout(120_000);
});
