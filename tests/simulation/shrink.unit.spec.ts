// The shrinker, on a world with a planted fault: what it leaves is shorter, fails still, and can be read.
import { expect } from 'chai';
import { planted } from './planting.js';
import { plants } from './plants.js';
import { shrink } from './shrink.js';
import { judge, report, watchUncaught } from './simulate.js';
import { writeScript, type Script } from './world/script.js';

/** Few, to be quick: the first halves are enough to see that it works. */
const MAX_RUNS = 10;

describe('a world that fails', function () {
  this.timeout(300_000);
  let unwatch: () => void;
  before(() => (unwatch = watchUncaught()));
  after(() => unwatch());

  const plant = plants.find(({ name }) => name === 'of an append of several events only the first is stored');
  if (!plant) throw new Error('the planted fault is gone');

  async function firstFailing(): Promise<Script> {
    for (let seed = plant?.seed ?? 1; ; seed++) {
      const script = writeScript(seed);
      if (plant && (await judge(script, planted(plant))).findings.length > 0) return script;
    }
  }

  it('is told as the shortest script that was found, which fails when it is played again, and its story', async () => {
    const script = await firstFailing();
    const fails = async (shorter: Script) => (await judge(shorter, planted(plant))).findings.length > 0;
    const shortest = await shrink(script, fails, MAX_RUNS);
    expect(shortest.steps.length).to.be.lessThan(script.steps.length).and.greaterThan(0);
    expect(script.steps).to.include.members([...shortest.steps]);
    expect(await fails(shortest)).to.equal(true);
    expect((await judge(shortest)).findings, 'without the planted fault').to.deep.equal([]);

    const told = (await report(script.seed, planted(plant), MAX_RUNS)).split('\n');
    expect(told[0]).to.match(new RegExp(`^seed ${script.seed}: [1-9]\\d* findings$`));
    const heading = told.findIndex((line) => line.startsWith('shortest script that still fails'));
    expect(told[heading]).to.equal(
      `shortest script that still fails, ${shortest.steps.length} of ${script.steps.length} steps, ${script.processes} processes:`,
    );
    for (const line of told.slice(heading + 1, heading + 1 + shortest.steps.length))
      expect(line).to.match(/^ {2}\d{4}-\d\d-\d\dT[\d:.]+Z (weather|acme|bert) \{"kind":"/);
    const story = told.slice(told.indexOf('its story:') + 1);
    expect(story.some((line) => line.includes(' append '))).to.equal(true);
  });
});
