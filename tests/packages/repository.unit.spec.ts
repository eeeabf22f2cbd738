// Scripts that workflows, the image and the pages for contributors name exist, and the builder of the image gets the files that it copies.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const root = fileURLToPath(new URL('../../', import.meta.url));
const textOf = (path: string) => readFileSync(root + path, 'utf8');
const workflows = readdirSync(`${root}.github/workflows`).map((name) => `.github/workflows/${name}`);
const scripts = Object.keys((JSON.parse(textOf('package.json')) as { scripts: object }).scripts);

describe('the repository', () => {
  const pages = [
    'CONTRIBUTING.md',
    'README.md',
    'Dockerfile',
    '.ci/run',
    '.github/pull_request_template.md',
    ...workflows,
  ];

  it('names npm scripts that exist', () => {
    const named = pages.flatMap((page) =>
      [...textOf(page).matchAll(/\bnpm run (?:-s )?([\w:-]+)/g)].map(([, script = '']) => ({ page, script })),
    );
    expect(named).to.have.length.above(15);
    expect(named.filter(({ script }) => !scripts.includes(script))).to.deep.equal([]);
  });

  it('ends every job of a workflow after some time', () => {
    for (const workflow of workflows) {
      const [, jobs = ''] = textOf(workflow).split(/^jobs:\n/m);
      const blocks = jobs.split(/^(?= {2}[\w-]+:\n)/m).filter((block) => /^ {2}[\w-]+:\n/.test(block));
      expect(blocks, workflow).to.not.have.length(0);
      for (const block of blocks)
        expect(block, `${workflow}: ${block.split('\n')[0]}`).to.match(/^ {4}timeout-minutes: \d+$/m);
    }
  });
});

describe('the image', () => {
  const lines = textOf('Dockerfile').split('\n');
  const copied = lines
    .filter((line) => line.startsWith('COPY ') && !line.includes('--from='))
    .flatMap((line) => line.split(/\s+/).slice(1, -1));

  it('is built from files that exist and that .dockerignore lets pass', () => {
    const sent = textOf('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1));
    expect(copied).to.include.members(['package.json', 'src', 'dashboard', 'openapi.json', 'LICENSE']);
    expect(copied.filter((path) => !existsSync(root + path))).to.deep.equal([]);
    expect(copied.filter((path) => !sent.includes(path))).to.deep.equal([]);
  });

  it('does not run as root, by a number that Kubernetes can check', () => {
    const last = lines.findLastIndex((line) => line.startsWith('FROM '));
    const [, user = ''] = /^USER (\S+)$/m.exec(lines.slice(last).join('\n')) ?? [];
    expect(user).to.match(/^[1-9]\d*(:[1-9]\d*)?$/);
  });
});
