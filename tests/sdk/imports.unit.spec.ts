// The client stands alone: whoever copies its folder needs its one dependency and Node.
import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';

const FOLDER = new URL('../../sdk/', import.meta.url);

describe('the client’s sources', () => {
  const files = readdirSync(new URL('src/', FOLDER));
  const { dependencies } = JSON.parse(readFileSync(new URL('package.json', FOLDER), 'utf8')) as {
    dependencies: Record<string, string>;
  };

  it('import each other, Node and what its package.json names', () => {
    expect(files).to.include.members(['client.ts', 'retry.ts', 'types.ts', 'webhooks.ts']);
    for (const file of files) {
      const text = readFileSync(new URL(`src/${file}`, FOLDER), 'utf8');
      for (const [, from = ''] of text.matchAll(/^(?:import|export)[^'"]* from ['"]([^'"]+)['"]/gm)) {
        const isAllowed = /^(\.\/[a-z]+\.js|node:.+)$/.test(from) || from in dependencies;
        expect(isAllowed, `${file} imports ${from}`).to.equal(true);
      }
    }
  });

  it('use the version of openapi-fetch that the project does', () => {
    const root = JSON.parse(readFileSync(new URL('../package.json', FOLDER), 'utf8')) as typeof own;
    const own = { dependencies };
    expect(dependencies['openapi-fetch']).to.equal(root.dependencies['openapi-fetch']);
  });
});
