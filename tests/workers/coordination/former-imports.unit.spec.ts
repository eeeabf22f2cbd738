// Records of imports by an earlier version lose the app user IDs that they contain.
import { expect } from 'chai';
import { createRecord, readRecord } from '../../../src/adapters/documents/records.js';
import { importCollection } from '../../../src/commands/imports/import-records.js';
import { removeNamesOfFormerImports } from '../../../src/workers/coordination/former-records.js';
import { createMemoryDocuments } from '../../adapters/documents/memory.js';

describe('the migration of records of imports', () => {
  it('removes app user IDs and values of cells, and leaves the rest, also when it is repeated', async () => {
    const docs = createMemoryDocuments();
    await docs.ensure([importCollection]);
    const about = (code: string, detail: string) => ({
      code,
      count: 1,
      examples: [{ file: 'a.csv', row: 2, detail }],
    });
    const stored = { importId: 'imp_1', projectId: 'proj_1', createdAt: '2026-11-20T10:00:00.000Z', state: 'done' };
    const problems = ['erased', 'several-mains', 'unreadable'].map((code) => about(code, 'carol'));
    const report = { customers: 3, problems: [...problems, about('unknown-product', 'app.monthly')] };
    await createRecord<string>(docs, importCollection.name, 'imp_1', { ...stored, after: 'carol', report });
    for (let times = 0; times < 2; times++) {
      await removeNamesOfFormerImports(docs);
      const { doc } = await readRecord(docs, importCollection.name, 'imp_1');
      expect(doc).to.deep.equal({
        ...stored,
        recorded: 0,
        claim: null,
        report: {
          customers: 3,
          problems: [
            ...['erased', 'several-mains', 'unreadable'].map((code) => about(code, '')),
            about('unknown-product', 'app.monthly'),
          ],
        },
      });
    }
  });
});
