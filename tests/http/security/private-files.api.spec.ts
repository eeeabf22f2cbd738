// Files in the data directory are readable by the service's own user only.
import { chmodSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { openOperatorRequests } from '../../../src/adapters/operator-requests/folder.js';
import { isOnServers } from '../../distributed/servers.js';
import { setUpProject } from '../support/harness.js';
import { setUpHarness } from '../support/setup.js';

(isOnServers ? describe.skip : describe)('the data directory', () => {
  const harness = setUpHarness();
  before(async () => {
    await setUpProject(harness);
  });

  const paths = () => [
    harness.dataDir,
    ...readdirSync(harness.dataDir, { recursive: true, encoding: 'utf8' }).map((name) => join(harness.dataDir, name)),
  ];
  /** Those with any right for others, as `<name> <mode>`. */
  const open = () =>
    paths().flatMap((path) => {
      const mode = statSync(path).mode & 0o777;
      return (mode & 0o077) === 0 ? [] : [`${path.slice(harness.dataDir.length)} ${mode.toString(8)}`];
    });

  it('and all files in it are readable by no other user', () => {
    expect(paths().length).to.be.greaterThan(6);
    expect(open()).to.deep.equal([]);
  });

  it('is so also when it was open before', async () => {
    const { requests } = openOperatorRequests(harness.dataDir);
    await requests.reply('ask_1', { result: 1 });
    await harness.restart(() => {
      for (const path of paths()) chmodSync(path, statSync(path).isDirectory() ? 0o755 : 0o644);
      expect(open().length).to.be.greaterThan(4);
      return Promise.resolve();
    });
    expect(open()).to.deep.equal([]);
  });
});
