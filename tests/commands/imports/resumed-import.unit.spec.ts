// An import that is killed and run again: its report is that of a run without a break.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { startImport } from '../../../src/commands/imports/confirm-import.js';
import { listImports, readImport, type ImportRecord } from '../../../src/commands/imports/import-records.js';
import type { ImportTurn } from '../../../src/commands/imports/import-files.js';
import { runImport } from '../../../src/commands/imports/run-import.js';
import { eraseSubscriber } from '../../../src/commands/subscribers/erasure.js';
import { deliveryBodyCollection, deliveryCollection } from '../../../src/commands/webhooks/deliveries.js';
import { Unavailable } from '../../../src/domain/errors.js';
import { customerId } from '../../../src/domain/ids.js';
import { importOptions } from '../../../src/domain/imports/context.js';
import { registerSubscriber } from '../../../src/commands/subscribers/subscribers.js';
import { crashingLog, type CrashingLog } from '../support/crashing-log.js';
import { BEGIN } from '../support/memory-deps.js';
import { createProjectFixture, type ProjectFixture } from '../support/project-fixture.js';
import { MONTHLY } from '../support/store-data.js';
import { filesHere } from './files-here.js';

/** More than the customers between two marks of the progress. */
const CUSTOMERS = 1100;
const NAMES = /c-\d{4}/;
const by = { actor: { kind: 'user' as const, id: 'user_1' }, requestId: 'req_import' };
const nobody = new AbortController().signal;

describe('the report of a resumed import', function () {
  this.timeout(240_000);
  const folder = mkdtempSync(join(tmpdir(), 'resumed-spec-'));
  const path = join(folder, 'facts.ndjson');
  after(() => rmSync(folder, { recursive: true }));

  before(() => {
    const customers = Array.from({ length: CUSTOMERS }, (_, n) => ({
      appUserId: `c-${String(n).padStart(4, '0')}`,
      n,
    }));
    const lines = customers.map(({ appUserId, n }) => ({
      ...{ type: 'purchase', appUserId, store: 'ios-store', storeProductId: n % 10 === 0 ? 'unknown.one' : MONTHLY },
      ...{ transactionId: `tx-${n}`, kind: 'normal', purchasedAt: '2026-10-01T10:00:00Z' },
      ...{ expiresAt: '2026-10-31T10:00:00Z', currency: 'USD', amountMicros: 9_990_000 },
    }));
    writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  });

  const run = async ({ deps }: ProjectFixture, record: ImportRecord): Promise<ImportRecord> => {
    await runImport(deps, filesHere, record, nobody);
    return (await readImport(deps, record.importId)) ?? record;
  };
  const start = ({ deps, projectId }: ProjectFixture, importId: string, confirmed: string | null) => {
    const options = importOptions.parse({});
    return startImport(deps, by, { importId, projectId, paths: [path], isUploaded: false, options, confirmed });
  };
  /** A project with a customer of the file who was erased, and the digest of the file. */
  const checked = async () => {
    let log: CrashingLog | undefined;
    const fixture = await createProjectFixture({ wrapLog: (inner) => (log = crashingLog(inner)) });
    fixture.clock.set(BEGIN);
    await fixture.deps.docs.ensure([deliveryCollection, deliveryBodyCollection]);
    await eraseFirstCustomer(fixture);
    const dry = await run(fixture, await start(fixture, 'imp_dry', null));
    return { fixture, log, digest: dry.report?.digest ?? '' };
  };

  it('is that of a run without a break, wherever it was killed', async () => {
    const { fixture, log, digest } = await checked();
    log?.failAt(0, 'before');
    const whole = await run(fixture, await start(fixture, 'imp_1', digest));
    expect(whole.state).to.equal('done');
    expect(whole.report?.customers).to.equal(CUSTOMERS);
    expect(whole.report?.problems.map(({ code, count }) => [code, count])).to.deep.include(['erased', 1]);
    const erased = whole.report?.problems.find(({ code }) => code === 'erased')?.examples[0];
    expect(erased?.detail).to.equal(customerId(fixture.deps.hash, fixture.projectId, 'c-0000'));
    expect(JSON.stringify(whole), 'no app user ID, which an erasure would miss').not.to.match(NAMES);
    const appends = log?.appends() ?? 0;
    expect(appends).to.be.greaterThan(CUSTOMERS);

    const late = appends - 20;
    const moments = [
      { n: 2, when: 'before' },
      { n: Math.floor(appends / 2), when: 'after' },
      { n: late, when: 'before' },
      { n: late, when: 'after' },
    ] as const;
    for (const { n, when } of moments) {
      const { fixture: other, log: crashing } = await checked();
      const record = await start(other, 'imp_1', digest);
      crashing?.failAt(n, when);
      const killed = await run(other, record).catch((err: unknown) => err);
      expect(killed, `${when} append ${n}`).to.be.instanceOf(Unavailable);
      const interrupted = await readImport(other.deps, 'imp_1');
      expect(JSON.stringify(interrupted)).not.to.match(NAMES);
      expect(interrupted?.mark?.customers).to.equal(n === late ? 1000 : undefined);
      crashing?.failAt(0, 'before');
      const resumed = await run(other, await start(other, 'imp_2', digest));
      expect(resumed.importId).to.equal('imp_1');
      expect(resumed.report, `${when} append ${n}`).to.deep.equal(whole.report);
      expect(await listImports(other.deps, other.projectId)).to.have.length(2);
    }
  });

  it('is that of a run without a break, of a dry run as well, when others took its place in between', async () => {
    const { fixture, digest } = await checked();
    const whole = await run(fixture, await start(fixture, 'imp_1', digest));
    const { fixture: other } = await checked();
    const inTurns = async (importId: string, confirmed: string | null) => {
      let { state, report } = await start(other, importId, confirmed);
      const marks: (number | undefined)[] = [];
      while (state === 'waiting' || state === 'running') {
        const turn = turnOf(400);
        await runImport(other.deps, filesHere, { importId }, nobody, undefined, turn);
        const record = await readImport(other.deps, importId);
        expect(record?.claim).to.equal(null);
        ({ state, report } = record ?? { state: 'failed', report: null });
        marks.push(record?.mark?.customers);
      }
      return { report, marks };
    };
    const dry = await inTurns('imp_again', null);
    expect(dry.marks).to.deep.equal([400, 800, undefined]);
    expect(dry.report).to.deep.equal((await readImport(fixture.deps, 'imp_dry'))?.report);
    const real = await inTurns('imp_1', digest);
    expect(real.marks).to.deep.equal([400, 800, undefined]);
    expect(real.report).to.deep.equal(whole.report);
  });

  it('does not count what a turn read that ended before its files were read', async () => {
    const { fixture, digest } = await checked();
    const record = await start(fixture, 'imp_1', digest);
    const over = { prepared: () => undefined, isOver: () => true };
    await runImport(fixture.deps, filesHere, record, nobody, undefined, over);
    expect(await readImport(fixture.deps, 'imp_1')).to.include({ state: 'waiting', mark: null, claim: null });
    const whole = await run(fixture, record);
    expect(whole.report).to.include({ customers: CUSTOMERS, digest });
  });
});

/** A turn that is over after some customers. */
function turnOf(customers: number): ImportTurn {
  let done = 0;
  return { prepared: () => void done++, isOver: () => done >= customers };
}

async function eraseFirstCustomer({ deps, projectId }: ProjectFixture): Promise<void> {
  await registerSubscriber(deps, by, projectId, 'c-0000', { source: 'api' });
  await eraseSubscriber(deps, { ...by, requestId: 'req_erase' }, projectId, 'c-0000');
}
