// Commands that pages, texts and the dashboard print run our own code: no package of another name is fetched from a registry, the packages
// are called by the names in their manifests, and each command of the command line exists.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { blocksOf, pages, read, root } from './markdown.js';

type Manifest = { readonly name: string; readonly bin: Readonly<Record<string, string>> };
const manifestOf = (path: string) => JSON.parse(read(path)) as Manifest;
const service = manifestOf('package.json');
const scope = service.name.slice(0, service.name.indexOf('/'));
/** The build puts the service's scope before the client's name (tests/packages checks the result). */
const ownNames = [service.name, `${scope}/${manifestOf('sdk/package.json').name}`];

const FOLDERS = ['.ci', '.github', 'dashboard/src', 'deploy', 'docs', 'samples', 'scripts', 'sdk', 'src'];
const TEXTS = /\.(md|ts|tsx|js|json|ya?ml|html|tpl|txt)$|(^|\/)(Dockerfile|run)$/;
const texts = [
  ...readdirSync(root),
  ...FOLDERS.flatMap((folder) =>
    readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  ),
].filter((path) => TEXTS.test(path) && path !== 'package-lock.json' && !path.includes('node_modules/'));

/** All matches of a pattern with one group, as `file: group`. */
function findAll(pattern: RegExp): readonly (readonly [path: string, found: string])[] {
  return texts.flatMap((path) => [...read(path).matchAll(pattern)].map(([, found = '']) => [path, found] as const));
}

describe('printed commands', () => {
  it('run with npx only what this repository installs', () => {
    const called = findAll(/\bnpx\s+(?:-\S+\s+)*([@\w][\w@./-]*)/g);
    expect(called.length).to.be.above(10);
    expect(called.filter(([, name]) => !existsSync(`${root}node_modules/.bin/${name}`))).to.deep.equal([]);
    expect(findAll(/["'](npx|bunx|pnpx)["']/g), 'as the command of an assistant').to.deep.equal([]);
  });

  it('install nothing under our names from a registry', () => {
    const installed = findAll(/\b(?:npm (?:install|i|add|exec|init)|yarn add|pnpm (?:add|dlx)) ([^`\n&;|]+)/g);
    const words = installed.flatMap(([path, line]) => line.split(/\s+/).map((word) => [path, word] as const));
    expect(words.length).to.be.above(2);
    expect(words.filter(([, word]) => /^(@[\w-]*subledger|subledger)/.test(word))).to.deep.equal([]);
  });

  it('name both packages as their manifests do, in one scope', () => {
    expect(service.name).to.match(/^@[\w-]+\/subledger$/);
    const named = findAll(/(@[\w-]*subledger[\w-]*\/[\w-]+)/g);
    expect(named.length).to.be.above(5);
    expect(named.filter(([, name]) => !ownNames.includes(name))).to.deep.equal([]);
  });

  it('call commands that the command line has', () => {
    const executables = Object.keys(service.bin);
    expect(executables).to.deep.equal(['subledger']);
    const sources = [
      'src/cli/subledger.ts',
      'src/cli/service-commands.ts',
      'src/cli/migration-commands.ts',
      'src/cli/books/register.ts',
    ];
    const source = sources.map((path) => readFileSync(root + path, 'utf8')).join('\n');
    const commands = [...source.matchAll(/\.command\('([\w-]+)/g)].map(([, name = '']) => name);
    const inBlocks = pages().flatMap((page) =>
      blocksOf(page)
        .filter(({ info }) => info.startsWith('sh'))
        .flatMap(({ text }) => [...text.matchAll(/^(?:\w+=\S+ )*subledger ([\w-]+)/gm)].map(([, name = '']) => name)),
    );
    const inTexts = findAll(/`subledger ([a-z][\w-]+)/g).map(([, name]) => name);
    expect(inBlocks.length).to.be.above(15);
    expect([...inBlocks, ...inTexts].filter((name) => !commands.includes(name))).to.deep.equal([]);
  });
});
