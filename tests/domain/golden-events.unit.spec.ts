// One stored event of each type and version, written once and never changed: what is in a log must stay readable.
// A new version of an event adds a file; a test that fails here means that an old log would not be understood.
import { readdirSync, readFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { createCodec } from '../../src/adapters/event-log/codec.js';
import { vocabulary } from '../../src/domain/vocabulary.js';
import { memoryKeys } from '../contract/event-log-samples.js';

const FOLDER = new URL('../fixtures/events/', import.meta.url);
const codec = createCodec(vocabulary, { keys: memoryKeys(), randomBytes });

const versions = vocabulary.flatMap((type) =>
  Array.from({ length: type.version }, (_, i) => i + 1).flatMap((v) =>
    [type.name, ...type.formerNames].map((name) => ({ type, name, v, file: `${name}.v${v}.json` })),
  ),
);

async function decoded(file: string) {
  const [event] = await codec.decode([readFileSync(new URL(file, FOLDER), 'utf8')]);
  if (!event) throw new Error(`${file} holds no event`);
  return event;
}

describe('golden events', () => {
  it('are there for each version of each type, and for nothing else', () =>
    expect(readdirSync(FOLDER).sort()).to.deep.equal(versions.map(({ file }) => file).sort()));

  for (const { type, name, v, file } of versions) {
    it(`${file} reads as ${type.name} of today`, async () => {
      const stored: unknown = JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8'));
      expect(stored).to.include({ type: name, v });
      const event = await decoded(file);
      expect(event).to.include({ type: type.name, v: type.version });
      expect(type.schema.safeParse(event.data).error?.issues ?? []).to.deep.equal([]);
    });
  }

  it('are written as they were read', async () => {
    for (const { type, v, file } of versions) {
      if (v < type.version || type.sealed.length > 0) continue;
      const { stream, revision, position, ...event } = await decoded(file);
      const [draft = ''] = await codec.encode(stream, [event]);
      expect({ ...JSON.parse(draft), revision, position }).to.deep.equal({ ...event, stream, revision, position });
    }
  });
});
