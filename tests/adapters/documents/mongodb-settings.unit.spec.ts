// Settings of every command to MongoDB: writes to the disks of a majority, and reads of nothing that a fail-over could roll back.
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect } from 'chai';
import { openMongoDocuments } from '../../../src/adapters/documents/mongodb/store.js';
import { Unavailable } from '../../../src/domain/errors.js';
import { systemRuntime } from '../../../src/adapters/runtime.js';
import { CUSTOMERS, insert } from '../../contract/opened-documents.js';
import { startMongoStandIn } from './mongodb-stand-in/server.js';

const SOURCES = new URL('../../../src/adapters/documents/mongodb/', import.meta.url);

describe('commands to MongoDB', () => {
  it('write to the disks of a majority and read only what a majority has', async () => {
    const server = await startMongoStandIn();
    const store = openMongoDocuments({ url: server.url, runtime: systemRuntime() });
    const asked = new Map<string, unknown>();
    server.fail = (name, command) => {
      asked.set(name, command[name === 'find' ? 'readConcern' : 'writeConcern']);
      return 'answer';
    };
    await store.ensure([CUSTOMERS]);
    await store.write([[insert('a')]]);
    await store.write([[{ ...insert('a'), expect: '1', guard: '2' }]]);
    await store.get('customers', ['a']);
    await store.close();
    await server.close();
    for (const name of ['insert', 'update'])
      expect(asked.get(name), name).to.deep.include({ w: 'majority' }).and.to.satisfy(isJournalled, name);
    expect(asked.get('find')).to.deep.equal({ level: 'majority' });
  });

  it('go through a driver that cannot mix up responses, and never set timeoutMS, which can', () => {
    const { version } = createRequire(import.meta.url)('mongodb/package.json') as { version: string };
    const [major = 0, minor = 0] = version.split('.').map(Number);
    expect(major > 7 || (major === 7 && minor >= 8), `mongodb ${version}`).to.equal(true);
    for (const file of readdirSync(SOURCES)) {
      expect(readFileSync(new URL(file, SOURCES), 'utf8'), file).to.not.match(/\btimeoutMS\b *[:=]/);
    }
  });

  it('report an unsupported server version instead of a timeout', async () => {
    const server = await startMongoStandIn({ maxWireVersion: 8 });
    // The limit passes once the driver has come back: by then it has made up its mind about the first greeting.
    const sleep = async () => {
      do await new Promise(setImmediate);
      while (server.greetings < 2);
    };
    const store = openMongoDocuments({ url: server.url, runtime: { ...systemRuntime(), sleep } });
    const refused = await store.ping().catch((err: unknown) => err);
    await store.close();
    await server.close();
    expect(refused).to.be.instanceOf(Unavailable);
    expect(String(refused)).to.match(/MongoDB cannot be reached: .*wire version 8.*requires at least/);
  });
});

function isJournalled(concern: { readonly j?: unknown; readonly journal?: unknown }): boolean {
  return concern.j === true || concern.journal === true;
}
