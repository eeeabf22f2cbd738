// The workflows as the machine that runs them reads them: jobs, steps, artifacts, files, servers and versions that they name exist.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { parse } from 'yaml';

type Step = {
  readonly id?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, string | boolean>>;
  readonly env?: Readonly<Record<string, string>>;
};
type Job = {
  readonly needs?: string | readonly string[];
  readonly steps: readonly Step[];
  readonly env?: Readonly<Record<string, string>>;
  readonly strategy?: { readonly matrix: { readonly node?: readonly number[] } };
};
type Workflow = { readonly jobs: Readonly<Record<string, Job>>; readonly on: { readonly push?: object } };
type Compose = {
  readonly services: Readonly<
    Record<string, { readonly profiles: readonly string[]; readonly environment?: Readonly<Record<string, string>> }>
  >;
};

const root = new URL('../../', import.meta.url);
const textOf = (path: string) => readFileSync(new URL(path, root), 'utf8');
const exists = (path: string) => existsSync(new URL(path, root));
const workflows = readdirSync(new URL('.github/workflows', root)).map((name) => ({
  ...(parse(textOf(`.github/workflows/${name}`)) as Workflow),
  name,
}));
const jobs = workflows.flatMap((workflow) =>
  Object.entries(workflow.jobs).map(([name, job]) => ({ name: `${workflow.name}: ${name}`, workflow, job })),
);
const needsOf = ({ needs = [] }: Job) => (typeof needs === 'string' ? [needs] : needs);
const { services } = parse(textOf('docker-compose.yml'), { merge: true }) as Compose;

describe('a workflow', () => {
  it('needs jobs that it has', () => {
    for (const { name, workflow, job } of jobs)
      for (const needed of needsOf(job)) expect(workflow.jobs, name).to.have.property(needed);
    expect(jobs.flatMap(({ job }) => needsOf(job))).to.include('packages');
  });

  it('uses results of steps that come before, and artifacts of jobs that it needs', () => {
    for (const { name, workflow, job } of jobs) {
      const ids = new Set<string | undefined>();
      for (const step of job.steps) {
        for (const [, id] of JSON.stringify(step).matchAll(/\bsteps\.([\w-]+)\./g))
          expect([...ids], name).to.include(id);
        ids.add(step.id);
        if (!step.uses?.startsWith('actions/download-artifact@')) continue;
        const uploaded = needsOf(job).flatMap((needed) =>
          (workflow.jobs[needed]?.steps ?? [])
            .filter(({ uses }) => uses?.startsWith('actions/upload-artifact@'))
            .map((upload) => upload.with?.['name']),
        );
        expect(uploaded, name).to.include(step.with?.['name']);
      }
    }
  });

  it('runs files of the repository that are there, after it has checked it out', () => {
    for (const { name, job } of jobs) {
      const commands = job.steps.map(({ run = '' }) => run).join('\n');
      const files = [...commands.matchAll(/\b(?:bash|cat|node) (\.?[\w][\w./-]*)/g)].map(([, path = '']) => path);
      const read = job.steps.flatMap((step) => step.with?.['node-version-file'] ?? []);
      const wanted = [...files, ...read.map(String)];
      expect(
        wanted.filter((path) => !exists(path)),
        name,
      ).to.deep.equal([]);
      const usesFiles = wanted.length > 0 || /\bnpm (ci|test|run)\b/.test(commands);
      if (usesFiles) expect(job.steps[0]?.uses, name).to.match(/^actions\/checkout@/);
    }
  });

  it('reaches servers by the names of the services that it has started', () => {
    const starting = jobs.filter(({ job }) => job.steps.some(({ run = '' }) => /docker compose .* up\b/.test(run)));
    expect(starting).to.have.length(1);
    for (const { name, job } of starting) {
      const commands = job.steps.map(({ run = '' }) => run).join('\n');
      const profiles = [...commands.matchAll(/--profile (\S+)/g)].map(([, profile = '']) => profile);
      const started = Object.entries(services).filter(([, service]) =>
        service.profiles.some((profile) => profiles.includes(profile)),
      );
      const hosts = [...commands.matchAll(/\b(?:esdb|kurrentdb|mongodb):\/\/([\w-]+)[:/]/g)].map(([, host]) => host);
      expect(
        started.map(([host]) => host),
        name,
      ).to.have.members(hosts);
      const project = job.env?.['COMPOSE_PROJECT_NAME'] ?? '';
      expect(project).to.not.equal('');
      expect(commands).to.include(`--network ${project}_default `);
    }
  });

  it('begins a release with the tags that the instructions make', () =>
    expect(workflows.find(({ name }) => name === 'release.yml')?.on.push).to.deep.equal({ tags: ['v*'] }));
});

describe('the version of Node', () => {
  const recommended = Number(textOf('.nvmrc'));
  const { engines } = JSON.parse(textOf('package.json')) as { engines: { node: string } };
  const oldest = Number(/^>=(\d+)/.exec(engines.node)?.[1]);

  it('that is recommended is that of the image, and is tested', () => {
    const images = [...textOf('Dockerfile').matchAll(/^FROM .*\bnode:(\S+)/gm)].map(([, tag]) => tag);
    expect(images).to.deep.equal([`${recommended}-slim`, `${recommended}-slim`]);
    const [test] = jobs.filter(({ job }) => job.strategy?.matrix.node !== undefined);
    expect(test?.job.strategy?.matrix.node).to.deep.equal([oldest, 22, recommended]);
    expect(textOf('README.md')).to.match(new RegExp(`Node ${recommended} is recommended, 22 .*is supported`));
  });

  it('suits every package, so that installing prints no warning', () => {
    const supported = [[oldest, 19] as const, [22, 13] as const, [recommended, 0] as const];
    const { packages } = JSON.parse(textOf('package-lock.json')) as {
      packages: Readonly<Record<string, { readonly engines?: { readonly node?: string } }>>;
    };
    const wanted = Object.entries(packages).flatMap(([name, { engines: its }]) =>
      its?.node === undefined ? [] : [[name, its.node] as const],
    );
    expect(wanted.length).to.be.above(200);
    for (const version of supported)
      expect(
        wanted.filter(([, range]) => !admits(range, version)),
        version.join('.'),
      ).to.deep.equal([]);
    expect(admits('>=22', [20, 19]) || admits('^20.20.0 || ^22', [20, 19]) || admits('>=8 <20', [20, 19])).to.equal(
      false,
    );
  });
});

/** Returns whether a range such as `^20.19.0 || >=22.12.0` admits a version. Of each comparator the major and minor number count. */
function admits(range: string, [major, minor]: readonly [number, number]): boolean {
  return range.split('||').some((part) =>
    part
      .replace(/([<>=~^])\s+/g, '$1')
      .trim()
      .split(/\s+/)
      .every((comparator) => {
        const [, sign = '', a = '*', b] = /^([<>=~^]*)v?(\d+|[*x])?(?:\.(\d+|[*x]))?/.exec(comparator) ?? [];
        if (!/\d/.test(a)) return true;
        const least = Number(b === undefined || !/\d/.test(b) ? 0 : b);
        if (sign === '<') return major < Number(a) || (major === Number(a) && minor < least);
        const isAtLeast = major > Number(a) || (major === Number(a) && minor >= least);
        return sign.startsWith('>') ? isAtLeast : isAtLeast && major === Number(a);
      }),
  );
}
