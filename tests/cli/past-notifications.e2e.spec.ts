// All notifications that the stores retain, requested at a terminal with and without a running service.
import { expect } from 'chai';
import { storeTaskCollection } from '../../src/commands/stores/tasks.js';
import { setUpService } from '../http/support/setup.js';
import { subledger } from './command-line.js';

describe('import notifications', function () {
  this.timeout(120_000);
  const { harness, slice } = setUpService();
  const run = (project: string) =>
    subledger(['import', 'notifications', '--project', project], { DATA_DIR: harness.dataDir });

  it('adds one scan for each app whose store retains notifications', async () => {
    const running = await run(slice.projectId);
    expect(running.code, running.stderr).to.equal(0);
    expect(running.stdout).to.match(
      /^The service reads all retained notifications of iOS \(app_\w+\) in the background/,
    );
    await harness.restart(async () => expect((await run(slice.projectId)).stdout).to.equal(running.stdout));
    const { docs } = harness.service().services.deps;
    const { rows } = await docs.scan(storeTaskCollection.name, { index: 'app', eq: [slice.appId], limit: 10 });
    expect(rows.map(({ id }) => id)).to.include(`past-notifications|${slice.appId}`);
  });

  it('refuses an unknown project', async () => {
    expect(await run('proj_x')).to.deep.equal({ code: 1, stdout: '', stderr: 'project proj_x not found\n' });
  });
});
