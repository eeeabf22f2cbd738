// Files of an import that are read in another process: what ends or stops that process ends one import, after a second try, and nothing else.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { UnreadableFile } from '../../../src/adapters/imports/port.js';
import { createImport, readImport } from '../../../src/commands/imports/import-records.js';
import { factsOf, SourceEnded, type FactSource } from '../../../src/commands/imports/read-facts.js';
import { claimImport, runImport, type ImportFiles } from '../../../src/commands/imports/run-import.js';
import { importOptions } from '../../../src/domain/imports/context.js';
import { Rejection } from '../../../src/domain/errors.js';
import { isoFromMs, msFromIso } from '../../../src/domain/time.js';
import { importFilesElsewhere } from '../../../src/main/imports/read-elsewhere.js';
import { startChild } from '../../adapters/child.js';
import { createProjectFixture } from '../../commands/support/project-fixture.js';
import { filesHere } from '../../commands/imports/files-here.js';
import { poll } from '../../fixtures/poll.js';

const nobody = new AbortController().signal;
const options = importOptions.parse({});
const COLUMNS = 'rc_original_app_user_id,store,product_identifier,start_time,store_transaction_id';

const bounds = { maxMiB: 1, maxRows: 1200 };

/** Processes that this one has started, as Linux shows them. */
function childrenOf(pid: number): readonly number[] {
  const tasks = readdirSync(`/proc/${pid}/task`).map((task) => `/proc/${pid}/task/${task}/children`);
  return tasks.flatMap((file) => readFileSync(file, 'utf8').split(' ').filter(Boolean).map(Number));
}

/** Waits for what comes without being asked for; mocha's timeout is its bound. */
async function until(holds: () => boolean): Promise<void> {
  await poll(holds, Boolean);
}

describe('files that another process reads', function () {
  // A bound for a hang: processes start late on a busy machine.
  this.timeout(300_000);
  const folder = mkdtempSync(join(tmpdir(), 'elsewhere-spec-'));
  after(() => rmSync(folder, { recursive: true }));
  const files = importFilesElsewhere({ ...bounds });
  const fileOf = (name: string, content: string | Buffer) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const customers = (count: number) =>
    Array.from({ length: count }, (_, n) => `{"type":"customer","appUserId":"c-${n}"}\n`).join('');
  const read = (source: FactSource, path: string, progress: () => void = () => undefined) =>
    source.read(
      { paths: [path], projectId: 'proj_1', options, now: '2026-11-01T00:00:00.000Z' },
      { progress, signal: nobody },
    );
  const faultOf = async (path: string, from: ImportFiles = files) => {
    const source = from.openSource([path]);
    try {
      return await read(source, path).catch((err: unknown) => err);
    } finally {
      source.close();
    }
  };

  it('have the customers that they have when they are read here, in the same order', async () => {
    const path = fileOf('many.jsonl', customers(1200));
    const [there, here] = await Promise.all(
      [files, filesHere].map(async (from) => {
        const source = from.openSource([path]);
        const facts = await read(source, path);
        const found: unknown[] = [];
        for await (const customer of source.customers()) found.push(factsOf(customer));
        source.close();
        return { facts, found };
      }),
    );
    expect(there).to.deep.equal(here);
    expect(there?.found).to.have.length(1200);
  });

  it('are read where the folder of temporary files does not exist', async () => {
    const temporary = process.env['SQLITE_TMPDIR'];
    process.env['SQLITE_TMPDIR'] = join(folder, 'missing');
    try {
      expect(await faultOf(fileOf('few.jsonl', customers(2)))).to.have.property('customers', 2);
    } finally {
      if (temporary === undefined) delete process.env['SQLITE_TMPDIR'];
      else process.env['SQLITE_TMPDIR'] = temporary;
    }
  });

  it('are refused with what is wrong with them', async () => {
    const damaged = await faultOf(fileOf('damaged.csv', `${COLUMNS}\ntorn`));
    expect(damaged).to.be.instanceOf(UnreadableFile);
    expect((damaged as Error).message).to.match(/^damaged\.csv, row 2: /);
    expect(await faultOf(fileOf('other.csv', 'a,b\n1,2\n'))).to.be.instanceOf(Rejection);
  });

  it('are refused with a message of this service; that of a library is only logged', async () => {
    const logged: string[] = [];
    const from = importFilesElsewhere({ ...bounds, log: (fault) => logged.push(fault) });
    const forged = Buffer.concat([
      Buffer.from('PAR1'),
      Buffer.alloc(60, 0x19),
      Buffer.from([60, 0, 0, 0]),
      Buffer.from('PAR1'),
    ]);
    const fault = await faultOf(fileOf('forged.parquet', forged), from);
    expect((fault as Error).message).to.equal(
      'forged.parquet is not a complete Parquet file; export the file again, or as CSV',
    );
    expect(logged).to.have.length(1);
    expect(await faultOf(join(folder, 'missing.csv'), from))
      .to.have.property('message')
      .match(/missing\.csv: there is no such file; give its whole path$/);
  });

  it('are refused once they have unpacked to sixteen times the size of an uploaded file', async () => {
    const bomb = gzipSync(`${COLUMNS}\n${`${'x'.repeat(200_000)},,,,\n`.repeat(90)}`);
    expect(bomb.length).to.be.below(50_000);
    const fault = await faultOf(fileOf('bomb.csv.gz', bomb));
    expect((fault as Error).message).to.equal(
      'the files have more than 16 MiB when they are unpacked; import them in parts',
    );
  });

  it('are refused when they have more rows than an import may, however small these are', async () => {
    const refusal = 'the files have more than 1200 rows; split them, and import the parts one after another';
    const table = `${COLUMNS}\n${'a,,,,\n'.repeat(1201)}`;
    for (const [name, content] of [
      ['rows.csv.gz', gzipSync(table)],
      ['rows.jsonl.gz', gzipSync('{}\n'.repeat(1201))],
    ] as const)
      expect(await faultOf(fileOf(name, content)), name).to.have.property('message', refusal);
    expect(await faultOf(fileOf('fewer.jsonl', '{}\n\n'.repeat(1200)))).to.have.property('customers', 0);
  });

  it('are refused when reading them takes too much processor time', async () => {
    const path = fileOf('few.jsonl', customers(1200));
    const fault = await faultOf(path, importFilesElsewhere({ ...bounds, maxSeconds: 0.001 }));
    expect(fault).to.be.instanceOf(UnreadableFile);
    expect((fault as Error).message).to.match(/^reading the files takes more than 1 minutes of processor time; split/);
  });

  it('end the process that needs more memory than it may use', async () => {
    const fault = await faultOf(fileOf('few.jsonl', customers(3)), importFilesElsewhere({ ...bounds, memoryMiB: 5 }));
    expect(fault).to.be.instanceOf(SourceEnded);
  });

  it('are given up when their process does not respond any more; until then their import keeps its claim', async function () {
    if (process.platform !== 'linux') return this.skip();
    const path = fileOf('few.jsonl', customers(3));
    const before = new Set(childrenOf(process.pid));
    const source = importFilesElsewhere({ ...bounds, silenceMs: 400 }).openSource([path]);
    let renewals = 0;
    const reading = read(source, path, () => void renewals++).catch((err: unknown) => err);
    const readers = () => childrenOf(process.pid).filter((pid) => !before.has(pid));
    await until(() => readers().length > 0);
    const [reader = 0] = readers();
    process.kill(reader, 'SIGSTOP');
    const fault = await reading;
    expect((fault as Error).message).to.match(/did not respond any more/);
    expect(renewals).to.be.greaterThan(0);
    await until(() => !childrenOf(process.pid).includes(reader));
    source.close();
  });

  it('are not read any more when the service was killed', async function () {
    if (process.platform !== 'linux') return this.skip();
    const service = startChild('../main/imports/reading-service.ts', fileOf('few.jsonl', customers(3)));
    const reader = Number(await service.line());
    expect(existsSync(`/proc/${reader}`)).to.equal(true);
    await service.kill();
    await until(() => !existsSync(`/proc/${reader}`));
  });

  describe('of an import', () => {
    const waitingImport = async (content: string) => {
      const fixture = await createProjectFixture();
      const { deps, projectId } = fixture;
      const paths = [fileOf('import.jsonl', content)];
      await createImport(deps, { importId: 'imp_1', projectId, paths, isUploaded: true, options, confirmed: null });
      const run = async (from: ImportFiles) => {
        await runImport(deps, from, { importId: 'imp_1' }, nobody);
        return readImport(deps, 'imp_1');
      };
      return { deps, run, clock: fixture.clock };
    };

    it('that end their process twice end the import with the reason', async () => {
      const { run } = await waitingImport(customers(3));
      const tooSmall = importFilesElsewhere({ ...bounds, memoryMiB: 5 });
      expect(await run(tooSmall)).to.include({ state: 'running', claim: null, endings: 1 });
      const failed = await run(tooSmall);
      expect(failed).to.include({ state: 'failed', progress: null });
      expect(failed?.problem).to.match(/^reading the files ended the process: .*, twice; split the files/);
    });

    it('that ended their process once are checked by another one', async () => {
      const { run } = await waitingImport(customers(3));
      await run(importFilesElsewhere({ ...bounds, memoryMiB: 5 }));
      const checked = await run(files);
      expect(checked).to.include({ state: 'checked', problem: null });
      expect(checked?.report?.customers).to.equal(3);
    });

    it('with which the service ended again and again end the import', async () => {
      const { deps, run, clock } = await waitingImport(customers(3));
      for (let n = 0; n < 4; n++) {
        await claimImport(deps, { importId: 'imp_1', runId: `run_${n}` });
        clock.set(isoFromMs(msFromIso(clock.iso()) + 130_000));
      }
      const failed = await run(filesHere);
      expect(failed?.state).to.equal('failed');
      expect(failed?.problem).to.match(/^the service ended several times while it ran this import/);
    });
  });
});
