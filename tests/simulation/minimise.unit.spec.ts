// Minimising, on a run with a mutation: the minimised script is shorter, still fails, and is reported in a readable form.
import { expect } from 'chai';
import { createInterceptors } from './mutation.js';
import { mutations } from './mutations.js';
import { minimise } from './minimise.js';
import { simulate, createReport, collectUnhandledRejections } from './simulate.js';
import { createScript, type Script } from './scenario/script.js';

/** Low, to be fast: the first halves are enough to see that it works. */
const MAX_RUNS = 10;

describe('a failing simulation', function () {
  this.timeout(300_000);
  let unwatch: () => void;
  before(() => (unwatch = collectUnhandledRejections()));
  after(() => unwatch());

  const plant = mutations.find(({ name }) => name === 'appends that store only their first event');
  if (!plant) throw new Error('mutation not found');

  async function firstFailing(): Promise<Script> {
    for (let seed = plant?.seed ?? 1; ; seed++) {
      const script = createScript(seed);
      if (plant && (await simulate(script, createInterceptors(plant))).findings.length > 0) return script;
    }
  }

  it('is reported by a minimised script that still fails, and its trace', async () => {
    const script = await firstFailing();
    const fails = async (shorter: Script) => (await simulate(shorter, createInterceptors(plant))).findings.length > 0;
    const shortest = await minimise(script, fails, MAX_RUNS);
    expect(shortest.steps.length).to.be.lessThan(script.steps.length).and.greaterThan(0);
    expect(script.steps).to.include.members([...shortest.steps]);
    expect(await fails(shortest)).to.equal(true);
    expect((await simulate(shortest)).findings, 'without the mutation').to.deep.equal([]);

    const lines = (await createReport(script.seed, createInterceptors(plant), MAX_RUNS)).split('\n');
    expect(lines[0]).to.match(new RegExp(`^seed ${script.seed}: [1-9]\\d* findings$`));
    const heading = lines.findIndex((line) => line.startsWith('minimised script'));
    // The report looks for the shortest script with the same kind of finding, which another kind may undercut.
    const [, left = '', all = ''] = /^minimised script, (\d+) of (\d+) steps/.exec(lines[heading] ?? '') ?? [];
    expect(Number(all)).to.equal(script.steps.length);
    expect(Number(left)).to.be.greaterThan(0).and.lessThan(script.steps.length);
    for (const line of lines.slice(heading + 1, heading + 1 + Number(left)))
      expect(line).to.match(/^ {2}\d{4}-\d\d-\d\dT[\d:.]+Z (faults|acme|bert) \{"kind":"/);
    const trace = lines.slice(lines.indexOf('trace:') + 1);
    expect(trace.some((line) => line.includes(' append '))).to.equal(true);
  });
});
