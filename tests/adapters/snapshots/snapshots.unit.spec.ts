// Contract of both snapshot stores: they return the written bytes or none, wherever a write or the bytes were truncated.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { createMemoryDocuments } from '../documents/memory.js';
import { systemRuntime } from '../../../src/adapters/runtime.js';
import { createDocumentSnapshots, ledgerCollections } from '../../../src/adapters/snapshots/documents.js';
import { createFileSnapshots } from '../../../src/adapters/snapshots/files.js';
import { DamagedSnapshot, type SnapshotStore } from '../../../src/adapters/snapshots/port.js';
import { chance } from '../../projections/support/seeded-random.js';

const NAME = 'a_v1_g1.proj_1.production';
const LENGTH = 2_500_000;

describe('snapshots', () => {
  let folder = '';
  before(() => void (folder = mkdtempSync(join(tmpdir(), 'subledger-snapshots-'))));
  after(() => rmSync(folder, { recursive: true, force: true }));

  const inFiles = (name: string) => createFileSnapshots(join(folder, name), systemRuntime());
  const places: Readonly<Record<string, () => Promise<SnapshotStore>>> = {
    'in files': async () => inFiles('contract'),
    'in documents': async () => createDocumentSnapshots(await documents(), systemRuntime(), ledgerCollections),
  };
  for (const [where, open] of Object.entries(places)) {
    it(`${where} come back as they were written, the last under a name`, async () => {
      const snapshots = await open();
      expect(await snapshots.open(NAME)).to.equal(null);
      for (const value of [1, 2, 3]) {
        expect(await snapshots.write(NAME, parts(value))).to.equal(true);
        expect(await contentOf(snapshots)).to.equal(value);
      }
      expect(await snapshots.names()).to.deep.equal([NAME]);
      await snapshots.remove(NAME);
      expect(await snapshots.open(NAME)).to.equal(null);
      expect(await snapshots.names()).to.deep.equal([]);
    });
  }

  it('in a file that is truncated or changed anywhere are rejected', async () => {
    const random = chance();
    const snapshots = inFiles('damaged');
    await snapshots.write(NAME, parts(1));
    const file = join(folder, 'damaged', readdirSync(join(folder, 'damaged'))[0] ?? '');
    const whole = readFileSync(file);
    for (let n = 0; n < 40; n++) {
      const at = n < 12 ? whole.length - 1 - n : random.below(whole.length);
      writeFileSync(file, whole);
      if (n % 2 === 0) truncateSync(file, at);
      else writeFileSync(file, whole.with(at, (whole[at] ?? 0) ^ (1 + random.below(255))));
      expect(await contentOf(snapshots), `${n % 2 === 0 ? 'cut' : 'changed'} at ${at}`).to.equal('damaged');
    }
  });

  it('in a file leave the one before when the writing fails, and nothing else', async () => {
    const snapshots = inFiles('failing');
    await snapshots.write(NAME, parts(1));
    const failing = function* () {
      yield* parts(2);
      throw new Error('cut');
    };
    const failed = await snapshots.write(NAME, failing()).catch((err: unknown) => err);
    expect(failed).to.have.property('message', 'cut');
    expect(await contentOf(snapshots)).to.equal(1);
    expect(readdirSync(join(folder, 'failing'))).to.have.lengthOf(1);
    const left = join(folder, 'failing', `${NAME}.snapshot.snap_1.new`);
    writeFileSync(left, 'left by another process that died');
    expect(await snapshots.names()).to.deep.equal([NAME]);
    expect(existsSync(left)).to.equal(false);
  });

  it('in documents are the one before or the new one when the process dies at any write', async () => {
    let left = Infinity;
    const docs = await documents(() => {
      if (left-- <= 0) throw new Error('killed');
    });
    const snapshots = createDocumentSnapshots(docs, systemRuntime(), ledgerCollections);
    await snapshots.write(NAME, parts(0));
    const seen = new Set<unknown>();
    let isWhole = false;
    for (let cut = 0; !isWhole; cut++) {
      left = cut;
      isWhole = await snapshots.write(NAME, parts(cut + 1)).catch(() => false);
      left = Infinity;
      const found = await contentOf(createDocumentSnapshots(docs, systemRuntime(), ledgerCollections));
      expect(found).to.be.a('number');
      seen.add(found);
    }
    expect(seen.size).to.be.above(2);
  });

  it('in documents with two concurrent writers are one of them, or are rejected', async () => {
    const docs = await documents();
    const written = await Promise.all(
      [1, 2].map((value) =>
        createDocumentSnapshots(docs, systemRuntime(), ledgerCollections).write(NAME, parts(value)),
      ),
    );
    const found = written.includes(true)
      ? await contentOf(createDocumentSnapshots(docs, systemRuntime(), ledgerCollections))
      : 'damaged';
    expect(found).to.be.oneOf([1, 2, 'damaged']);
    expect(await createDocumentSnapshots(docs, systemRuntime(), ledgerCollections).write(NAME, parts(3))).to.equal(
      true,
    );
    expect(await contentOf(createDocumentSnapshots(docs, systemRuntime(), ledgerCollections))).to.equal(3);
  });

  it('have names that are those of files', async () => {
    for (const name of ['../a', 'a/b', '', 'a..b', 'a.b.c.d.e']) {
      const failed = await inFiles('names')
        .write(name, [])
        .catch((err: unknown) => err);
      expect(failed, name).to.be.instanceOf(Error);
    }
  });
});

async function documents(onWrite: () => void = () => undefined) {
  const docs = createMemoryDocuments({ onWrite });
  await docs.ensure([ledgerCollections.heads, ledgerCollections.segments]);
  return docs;
}

function* parts(value: number): Generator<Uint8Array, undefined> {
  yield new Uint8Array([value]);
  const noise = Float64Array.from({ length: LENGTH / 8 }, (_, i) => value + i * 0.37);
  yield new Uint8Array(noise.buffer);
}

/** The value that {@link parts} were made for. */
async function contentOf(snapshots: SnapshotStore): Promise<unknown> {
  const reader = await snapshots.open(NAME);
  if (!reader) return null;
  try {
    const [value = -1] = await reader.read(1);
    const rest = await reader.read(LENGTH - (LENGTH % 8));
    await reader.end();
    const [, wanted = new Uint8Array()] = parts(value);
    return Buffer.compare(rest, wanted) === 0 ? value : 'another';
  } catch (err) {
    if (err instanceof DamagedSnapshot) return 'damaged';
    throw err;
  } finally {
    await reader.close();
  }
}
