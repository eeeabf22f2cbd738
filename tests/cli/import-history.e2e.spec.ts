// A project's history exported as lines of facts at a terminal, and imported into another project beside the running service: nothing is
// lost, nothing is sent, and a live purchase afterwards goes on from there.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { readConfig } from '../../src/adapters/configuration/config.js';
import { DAY_MS } from '../../src/domain/charts/calendar.js';
import { charts } from '../../src/domain/charts/catalogue/catalogue.js';
import { expectService } from '../../src/cli/support/on-service.js';
import { setUpProject, type Slice } from '../http/support/harness.js';
import { createManualClock } from '../http/support/manual-clock.js';
import { playLives } from '../http/support/random-customers.js';
import { setUpService } from '../http/support/setup.js';
import { listenForKinds, type SentKinds } from '../http/support/webhook-messages.js';
import { chance } from '../projections/support/seeded-random.js';
import { subledger } from './command-line.js';

const NOW = Date.parse('2026-11-20T10:00:00.000Z');

describe('a history on the command line', function () {
  this.timeout(240_000);
  const clock = createManualClock(NOW);
  const { harness, slice } = setUpService({}, clock.runtime);
  const folder = mkdtempSync(join(tmpdir(), 'history-'));
  let copy: Slice;
  let sent: SentKinds;
  after(() => rmSync(folder, { recursive: true }));

  const run = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await subledger(args, { DATA_DIR: harness.dataDir });
    expect(code, stderr).to.equal(0);
    return stdout;
  };
  const exported = async (name: string, projectId: string): Promise<readonly string[]> => {
    const file = join(folder, name);
    await run('export-history', file, '--project', projectId);
    // Two grants of the same time are one.
    return [...new Set(readFileSync(file, 'utf8').trimEnd().split('\n'))].toSorted();
  };

  before(async () => {
    // The figures of a transferred purchase stay with the customer who paid, whom no file names.
    await playLives({ harness, slice, clock, random: chance(11), hasTransfers: false }, 30);
    await harness.service().idle();
    copy = await setUpProject(harness);
    sent = await listenForKinds(harness, copy);
  });

  it('is the same after an export, an import and another export', async () => {
    const lines = await exported('first.ndjson', slice.projectId);
    expect(lines.filter((line) => line.includes('"type":"purchase"')).length).to.be.above(20);
    const ofCopy = lines.map((line) => line.replaceAll(slice.appId, copy.appId));
    const file = join(folder, 'copy.ndjson');
    writeFileSync(file, `${ofCopy.join('\n')}\n`);
    const importFacts = ['import', 'facts', file, '--project', copy.projectId, '--sandbox', 'keep', '--json'];
    const check = JSON.parse(await run(...importFacts));
    expect([check.dryRun, check.problems]).to.deep.equal([true, []]);
    const report = JSON.parse(await run(...importFacts, '--confirm', check.digest));
    expect(report.events).to.deep.equal(check.events);
    await harness.service().idle();
    const second = await exported('second.ndjson', copy.projectId);
    const isFact = (line: string) => !line.startsWith('{"type":"export","writtenAt":"');
    expect(second.filter(isFact)).to.deep.equal(ofCopy.filter(isFact));
    for (const all of [ofCopy, second]) expect(all.filter(isFact).length).to.equal(all.length - 1);
  });

  it('has the charts of the first project', async () => {
    const from = new Date(NOW - DAY_MS).toISOString().slice(0, 10);
    const to = new Date(clock.now() + DAY_MS).toISOString().slice(0, 10);
    const owner = { key: slice.secretKey };
    const chartOf = async (projectId: string, chart: string) => {
      const path = `/v1/projects/${projectId}/metrics/charts/${chart}?environment=sandbox&interval=day&startDate=${from}&endDate=${to}`;
      return harness.call('GET', path, undefined, projectId === slice.projectId ? owner : { key: copy.secretKey });
    };
    for (const { id } of charts) {
      const [ours, theirs] = [await chartOf(slice.projectId, id), await chartOf(copy.projectId, id)];
      expect(ours.status, JSON.stringify(ours.body)).to.equal(200);
      expect(theirs.body, id).to.deep.equal(ours.body);
    }
  });

  it('fails if no customer can be imported, and still prints the report', async () => {
    const file = join(folder, 'unreadable.ndjson');
    writeFileSync(file, '{"type":"purchase","appUserId":"a"}\n');
    const args = ['import', 'facts', file, '--project', copy.projectId, '--json'];
    const { code, stdout, stderr } = await subledger(args, { DATA_DIR: harness.dataDir });
    expect([code, JSON.parse(stdout).problems[0].code]).to.deep.equal([1, 'unreadable']);
    expect(stderr).to.match(/the files contain no customer that can be imported\n$/);
  });

  it('fails at once for a file that the service cannot open', async () => {
    const file = join(folder, 'mistyped.csv');
    const args = ['import', 'revenuecat', file, '--project', copy.projectId];
    const { code, stderr } = await subledger(args, { DATA_DIR: harness.dataDir });
    const message = `the service cannot open ${file}; check its path, and that the user of the service may read it\n`;
    expect([code, stderr]).to.deep.equal([1, message]);
  });

  it('is followed only while the service runs', async () => {
    const config = readConfig({ DATA_DIR: harness.dataDir });
    expectService(config);
    await harness.restart(async () => {
      expect(() => expectService(config)).to.throw('the service stopped; the work continues when it starts again');
    });
  });

  it('sends no webhooks', async () => {
    await sent.note();
    const kinds = await Promise.all(Array.from({ length: 30 }, (_, n) => sent.all(`life-${n}`)));
    expect(kinds.flat()).to.deep.equal([]);
  });
});
