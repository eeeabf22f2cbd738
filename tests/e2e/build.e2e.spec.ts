// The build of `npm start`: compiles changed parts, nothing without changes, and everything if dist/ is incomplete. Its
// result is what `npm test` runs the specs on.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const repository = fileURLToPath(new URL('../..', import.meta.url));

describe('the program under test', () => {
  it('is the build when SPECS_ON=build, else the sources', () => {
    const loaded = import.meta.resolve('../../src/main.js');
    expect(loaded).to.match(process.env['SPECS_ON'] === 'build' ? /\/dist\/main\.js$/ : /\/src\/main\.(js|ts)$/);
  });
});

describe('the build', function () {
  this.timeout(180_000);
  const root = mkdtempSync(join(tmpdir(), 'subledger-build-'));
  const write = (name: string, text: string) => {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  };
  const read = (name: string) => readFileSync(join(root, name), 'utf8');
  const settings = (outDir: string) => {
    const compilerOptions = {
      module: 'NodeNext',
      target: 'ES2022',
      types: [],
      lib: ['ES2022'],
      rootDir: 'src',
      outDir,
      strict: true,
    };
    return JSON.stringify({
      compilerOptions: { ...compilerOptions, incremental: true, tsBuildInfoFile: `${outDir}/.tsbuildinfo` },
      include: ['src'],
    });
  };
  before(() => {
    write('package.json', '{ "name": "@us/service", "type": "module", "version": "1.2.3" }');
    write('package-lock.json', '{}');
    write('tsconfig.build.json', settings('dist'));
    write('sdk/tsconfig.json', settings('../dist/sdk'));
    write('simulator/tsconfig.json', settings('../dist/simulator').replaceAll('"src"', '"."'));
    write('simulator/random.ts', 'export const random = 1;\n');
    write('sdk/src/client.ts', 'export const client = 1;\n');
    write('sdk/package.json', '{ "name": "client" }');
    write('sdk/README.md', '# Client\n');
    write('LICENSE', 'Licence\n');
    write('src/cli/subledger.ts', "import { word } from '../word.js';\nconst text: string = word;\nexport { text };\n");
    write('openapi.json', '{}');
    write('src/word.ts', "export const word = 'one';\n");
    cpSync(join(repository, 'scripts'), join(root, 'scripts'), { recursive: true });
    symlinkSync(join(repository, 'node_modules'), join(root, 'node_modules'));
  });
  after(() => rmSync(root, { recursive: true, force: true }));

  const build = () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/build.js'], {
      cwd: root,
      encoding: 'utf8',
    });
    return { status, output: `${stdout}${stderr}` };
  };
  const expectBuilt = (message: string) => {
    const { status, output } = build();
    expect([status, output.trim()]).to.deep.equal([0, message]);
    expect(build(), 'the next time').to.deep.equal({ status: 0, output: '' });
  };

  /** Returns the text that the built command line exports. */
  const textOfBuilt = () => {
    const script = "import { text } from './dist/cli/subledger.js'; process.stdout.write(text);";
    return spawnSync(process.execPath, ['--input-type=module', '-e', script], { cwd: root, encoding: 'utf8' }).stdout;
  };

  it('makes everything once, and nothing the second time', () => {
    expectBuilt('compiling');
    expect(read('dist/word.js')).to.include("'one'");
    expect(textOfBuilt()).to.equal('one');
    expect(existsSync(join(root, 'dist/docs/redoc.standalone.js'))).to.equal(true);
    const client = { name: '@us/client', version: '1.2.3' };
    expect(JSON.parse(read('dist/sdk/package.json')), 'the client').to.deep.equal(client);
    expect([read('dist/sdk/README.md'), read('dist/sdk/LICENSE')]).to.deep.equal(['# Client\n', 'Licence\n']);
  });

  it('makes what changed, and removes what is gone', () => {
    write('openapi.json', '{}');
    write('src/word.ts', "export const word = 'two';\n");
    write('src/more.ts', 'export {};\n');
    expectBuilt('compiling what changed');
    expect(read('dist/word.js')).to.include("'two'");
    expect(textOfBuilt()).to.equal('two');
    rmSync(join(root, 'src/more.ts'));
    expectBuilt('compiling what changed');
    expect(existsSync(join(root, 'dist/more.js'))).to.equal(false);
  });

  it('rebuilds everything if a file of dist/ is missing or truncated, or a dependency changed', () => {
    rmSync(join(root, 'dist/word.js'));
    expectBuilt('compiling');
    write('dist/cli/subledger.js', '');
    expectBuilt('compiling');
    expect(textOfBuilt()).to.equal('two');
    write('package-lock.json', '{ "name": "other" }');
    expectBuilt('compiling');
  });

  it('fails for a wrong type, each time until it is mended', () => {
    write('src/word.ts', 'export const word = 3;\n');
    for (const time of ['first', 'second']) {
      const { status, output } = build();
      expect(status, time).to.not.equal(0);
      expect(output, time).to.include('src/cli/subledger.ts');
    }
    write('openapi.json', '{}');
    write('src/word.ts', "export const word = 'three';\n");
    expectBuilt('compiling');
    expect(read('dist/word.js')).to.include("'three'");
  });
});
