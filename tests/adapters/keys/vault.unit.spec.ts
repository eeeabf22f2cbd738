// Secrets at rest open with their key and for their purpose, and in no other way.
import { expect } from 'chai';
import { createMemoryDocuments } from '../documents/memory.js';
import type { DocStore } from '../../../src/adapters/documents/port.js';
import { systemRuntime } from '../../../src/adapters/runtime.js';
import {
  createDataKeys,
  dataKeyCollection,
  openText,
  sealText,
  type MasterKey,
} from '../../../src/adapters/keys/vault.js';
import { CannotOpen } from '../../../src/domain/errors.js';

const runtime = systemRuntime();
const key = (id: string, fill: number): MasterKey => ({ id, key: Buffer.alloc(32, fill) });

describe('sealed text', () => {
  const sealed = sealText(key('k1', 1), 'proj_a|app_a|field', Buffer.from('secret'), runtime);

  it('opens with the key and purpose that sealed it', () => {
    expect(openText([key('k1', 1)], 'proj_a|app_a|field', sealed).toString()).to.equal('secret');
  });

  it('opens with an older key of the ring', () => {
    expect(openText([key('k2', 2), key('k1', 1)], 'proj_a|app_a|field', sealed).toString()).to.equal('secret');
  });

  it('looks different every time', () => {
    expect(sealText(key('k1', 1), 'proj_a|app_a|field', Buffer.from('secret'), runtime)).not.to.equal(sealed);
  });

  const refused: Record<string, () => Buffer> = {
    'another purpose': () => openText([key('k1', 1)], 'proj_b|app_a|field', sealed),
    'another key of the same name': () => openText([key('k1', 9)], 'proj_a|app_a|field', sealed),
    'a ring without its key': () => openText([key('k2', 1)], 'proj_a|app_a|field', sealed),
    'a shortened tag': () => openText([key('k1', 1)], 'proj_a|app_a|field', sealed.slice(0, -16)),
    'something else altogether': () => openText([key('k1', 1)], 'proj_a|app_a|field', 'hello'),
  };
  for (const [name, open] of Object.entries(refused)) {
    it(`does not open with ${name}`, () => {
      expect(open).to.throw(CannotOpen);
    });
  }

  it('does not open with any one character changed', () => {
    const [version, id, ...parts] = sealed.split('.');
    parts.forEach((part, i) => {
      const changed = parts.with(i, (part.startsWith('A') ? 'B' : 'A') + part.slice(1));
      const text = [version, id, ...changed].join('.');
      expect(() => openText([key('k1', 1)], 'proj_a|app_a|field', text)).to.throw(CannotOpen);
    });
  });
});

describe('data keys', () => {
  const open = async () => {
    const docs = createMemoryDocuments();
    await docs.ensure([dataKeyCollection]);
    return { docs, keys: () => createDataKeys(docs, [key('k1', 1)], runtime) };
  };

  it('are made once per subject, also by several at once', async () => {
    const { keys } = await open();
    const made = await Promise.all(Array.from({ length: 5 }, () => keys().forSealing('cus_a')));
    expect(new Set(made.map((k) => k.toString('hex'))).size).to.equal(1);
  });

  it('stay those of another process that made one between look and write', async () => {
    const { docs, keys } = await open();
    let made: Buffer | undefined;
    const overtaken: DocStore = {
      ...docs,
      get: async (c, ids) => {
        const found = await docs.get(c, ids);
        made ??= await keys().forSealing('cus_a');
        return found;
      },
    };
    const second = await createDataKeys(overtaken, [key('k1', 1)], runtime).forSealing('cus_a');
    expect(second.toString('hex')).to.equal(made?.toString('hex'));
    expect((await keys().forOpening(['cus_a'])).get('cus_a')?.[0]?.toString('hex')).to.equal(made?.toString('hex'));
  });

  it('differ between subjects and are kept wrapped', async () => {
    const { docs, keys } = await open();
    const [a, b] = [await keys().forSealing('cus_a'), await keys().forSealing('cus_b')];
    expect(a.equals(b)).to.equal(false);
    const stored = JSON.stringify((await docs.get(dataKeyCollection.name, ['cus_a'])).get('cus_a'));
    expect(stored).not.to.include(a.toString('base64url'));
  });

  it('are missing once deleted, and another is made when the customer returns', async () => {
    const { docs, keys } = await open();
    const old = await keys().forSealing('cus_a');
    await docs.write([[{ c: dataKeyCollection.name, id: 'cus_a', expect: '1', guard: '2', doc: null }]]);
    expect((await keys().forOpening(['cus_a'])).size).to.equal(0);
    expect((await keys().forSealing('cus_a')).equals(old)).to.equal(false);
  });

  it('still open what they sealed once they are turned, until they are erased by that name', async () => {
    const { keys } = await open();
    const old = await keys().forSealing('cus_a');
    const other = keys();
    await other.forOpening(['cus_a']);
    const name = (await keys().rotate('cus_a')) ?? '';
    const fresh = await keys().forSealing('cus_a');
    expect(fresh.equals(old)).to.equal(false);
    expect((await other.forSealing('cus_a')).equals(fresh), 'a process that knew the former one').to.equal(true);
    expect((await keys().forOpening(['cus_a'])).get('cus_a')).to.deep.equal([fresh, old]);
    await keys().erase('cus_a', name);
    await keys().erase('cus_a', name);
    expect((await other.forOpening(['cus_a'], { isFresh: true })).get('cus_a')).to.deep.equal([fresh]);
  });

  it('of former rotations end with the newest name; nothing is rotated without keys', async () => {
    const { keys } = await open();
    expect(await keys().rotate('cus_a')).to.equal(null);
    await keys().forSealing('cus_a');
    await keys().rotate('cus_a');
    const name = (await keys().rotate('cus_a')) ?? '';
    const fresh = await keys().forSealing('cus_a');
    await keys().erase('cus_a', name);
    expect((await keys().forOpening(['cus_a'])).get('cus_a')).to.deep.equal([fresh]);
  });

  it('of an erasure from before keys were turned end by the number of their record', async () => {
    const { docs, keys } = await open();
    await keys().forSealing('cus_a');
    const { doc } = (await docs.get(dataKeyCollection.name, ['cus_a'])).get('cus_a') ?? {};
    const write = {
      c: dataKeyCollection.name,
      id: 'cus_a',
      expect: '1',
      guard: '3',
      doc: { wrapped: doc?.['wrapped'] },
    };
    await docs.write([[write]]);
    await keys().erase('cus_a', '1');
    expect((await keys().forOpening(['cus_a'])).size).to.equal(1);
    await keys().erase('cus_a', '3');
    expect((await keys().forOpening(['cus_a'])).size).to.equal(0);
  });

  it('do not open under another master key', async () => {
    const { docs, keys } = await open();
    await keys().forSealing('cus_a');
    const stranger = createDataKeys(docs, [key('k1', 7)], runtime);
    const refusal = await stranger.forOpening(['cus_a']).catch((err: unknown) => err);
    expect(refusal).to.be.instanceOf(CannotOpen);
  });
});
