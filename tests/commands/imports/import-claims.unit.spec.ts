// Two runners of one import, as a command line and a service on shared servers: one of them runs it, the other leaves it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { startImport } from '../../../src/commands/imports/confirm-import.js';
import {
  changeRunning,
  claimImport,
  ImportClaimLost,
  releaseImport,
  runImport,
} from '../../../src/commands/imports/run-import.js';
import { createImport, expireImport, readImport } from '../../../src/commands/imports/import-records.js';
import { createReportBuilder } from '../../../src/commands/imports/import-report.js';
import { importOptions } from '../../../src/domain/imports/context.js';
import { isoFromMs, msFromIso } from '../../../src/domain/time.js';
import { createProjectFixture, type ProjectFixture } from '../support/project-fixture.js';
import { filesHere } from './files-here.js';

const importId = 'imp_1';
const [one, two] = [
  { importId, runId: 'run_1' },
  { importId, runId: 'run_2' },
];
const signal = new AbortController().signal;

const markAt = (customers: number) => ({ digest: 'other', customers, counted: createReportBuilder().counted() });

describe('a claim of an import', () => {
  const folder = mkdtempSync(join(tmpdir(), 'claims-spec-'));
  const path = join(folder, 'facts.ndjson');
  let fixture: ProjectFixture;
  after(() => rmSync(folder, { recursive: true }));

  beforeEach(async () => {
    writeFileSync(path, '{"type":"customer","appUserId":"ann"}\n');
    fixture = await createProjectFixture();
    const { deps, projectId } = fixture;
    const options = importOptions.parse({});
    await createImport(deps, { importId, projectId, paths: [path], isUploaded: false, options, confirmed: null });
  });
  const read = () => readImport(fixture.deps, importId);
  const passMs = (ms: number) => fixture.clock.set(isoFromMs(msFromIso(fixture.clock.iso()) + ms));

  it('is won by one of two runners at the same time', async () => {
    const won = await Promise.all([claimImport(fixture.deps, one), claimImport(fixture.deps, two)]);
    expect(won.filter((record) => record !== null)).to.have.length(1);
    expect(await read()).to.include({ state: 'running' });
  });

  it('has the files opened once when two runners start together', async () => {
    let opened = 0;
    const files = { ...filesHere, openSource: () => (opened++, filesHere.openSource([])) };
    await Promise.all([1, 2].map(() => runImport(fixture.deps, files, { importId }, signal)));
    expect(opened).to.equal(1);
    expect(await read()).to.include({ state: 'checked', claim: null });
  });

  it('is renewed by progress, expires without it, and then ends the writes of the former runner', async () => {
    await claimImport(fixture.deps, one);
    passMs(110_000);
    await changeRunning(fixture.deps, one, { mark: markAt(1000) });
    passMs(110_000);
    expect(await claimImport(fixture.deps, two)).to.equal(null);
    passMs(20_000);
    expect(await claimImport(fixture.deps, two)).to.have.nested.property('mark.customers', 1000);
    for (const write of [changeRunning, releaseImport])
      expect(await write(fixture.deps, one, { mark: markAt(5) }).catch((err: unknown) => err)).to.be.instanceOf(
        ImportClaimLost,
      );
    expect((await read())?.claim?.runId).to.equal('run_2');
    expect((await read())?.mark?.customers).to.equal(1000);
  });

  it('lets a run that lost it end without an error, and without a change of the record', async () => {
    const source = filesHere.openSource([]);
    const readLater: typeof source.read = async (...request) => {
      passMs(130_000);
      expect(await claimImport(fixture.deps, two)).not.to.equal(null);
      return source.read(...request);
    };
    const files = { ...filesHere, openSource: () => ({ ...source, read: readLater }) };
    await runImport(fixture.deps, files, { importId }, signal);
    expect(await read()).to.include({ state: 'running', report: null });
    expect((await read())?.claim?.runId).to.equal('run_2');
  });

  it('is released by a run that fails, so that the next continues at once', async () => {
    const read = () => Promise.reject(new Error('no memory'));
    const files = { ...filesHere, openSource: () => ({ ...filesHere.openSource([]), read }) };
    const failed = await runImport(fixture.deps, files, { importId }, signal).catch((err: unknown) => err);
    expect(failed).to.be.instanceOf(Error);
    expect(await claimImport(fixture.deps, two)).not.to.equal(null);
  });

  it('of a confirmation with other options ends nothing: the right one runs as an import of its own', async () => {
    const { deps, projectId } = fixture;
    const by = { actor: { kind: 'user' as const, id: 'user_1' }, requestId: 'req_1' };
    await runImport(deps, filesHere, { importId }, signal);
    const confirmed = (await read())?.report?.digest ?? '';
    const start = (id: string, otherStores: 'skip' | 'grant') => {
      const options = importOptions.parse({ otherStores });
      return startImport(deps, by, { importId: id, projectId, paths: [path], isUploaded: false, options, confirmed });
    };
    await runImport(deps, filesHere, await start('imp_2', 'grant'), signal);
    expect(await readImport(deps, 'imp_2')).to.include({ state: 'failed' });
    const right = await start('imp_3', 'skip');
    expect(right.importId).to.equal('imp_3');
    await runImport(deps, filesHere, right, signal);
    expect(await readImport(deps, 'imp_3')).to.include({ state: 'done' });
  });

  it('of a confirmation with other files leaves an interrupted import as it is, which then continues', async () => {
    const { deps, projectId } = fixture;
    const by = { actor: { kind: 'user' as const, id: 'user_1' }, requestId: 'req_1' };
    await runImport(deps, filesHere, { importId }, signal);
    const confirmed = (await read())?.report?.digest ?? '';
    const other = join(folder, 'other.ndjson');
    writeFileSync(other, '{"type":"customer","appUserId":"bob"}\n');
    const start = (id: string, file: string) => {
      const options = importOptions.parse({});
      return startImport(deps, by, { importId: id, projectId, paths: [file], isUploaded: false, options, confirmed });
    };
    await start('imp_2', path);
    await claimImport(deps, { importId: 'imp_2', runId: 'run_1' });
    await releaseImport(deps, { importId: 'imp_2', runId: 'run_1' }, { mark: markAt(1) });
    const interrupted = await readImport(deps, 'imp_2');
    const wrong = await start('imp_3', other);
    expect(wrong.importId).to.equal('imp_3');
    await runImport(deps, filesHere, wrong, signal);
    expect(await readImport(deps, 'imp_3')).to.include({ state: 'failed' });
    expect((await readImport(deps, 'imp_3'))?.problem).to.match(/^the files, the options or the project differ/);
    expect(await readImport(deps, 'imp_2')).to.deep.equal(interrupted);
    const right = await start('imp_4', path);
    expect(right.importId).to.equal('imp_2');
    await runImport(deps, filesHere, right, signal);
    expect(await readImport(deps, 'imp_2')).to.include({ state: 'done' });
  });

  it('is not given for an import that ended, and a confirmed import does not expire', async () => {
    await runImport(fixture.deps, filesHere, { importId }, signal);
    expect(await claimImport(fixture.deps, two)).to.equal(null);
    expect(await expireImport(fixture.deps, importId, 'too late')).to.equal(true);
    expect(await claimImport(fixture.deps, two)).to.equal(null);
    expect(await expireImport(fixture.deps, importId, 'too late')).to.equal(false);
  });
});
