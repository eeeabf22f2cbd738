// Store credentials in `subledger doctor`: the stores' last responses to them.
import { expect } from 'chai';
import { checkCredentials, checkReportSources } from '../../src/cli/doctor/doctor-checks.js';
import {
  createCredentialVerdicts,
  credentialVerdictCollection,
} from '../../src/commands/projects/credential-checks.js';
import { credentialCollection } from '../../src/commands/projects/credentials.js';
import { reportSourceCollection, type ReportSource } from '../../src/commands/books/report-sources.js';
import { createMemoryDocuments } from '../adapters/documents/memory.js';

type Verdict = 'accepted' | 'refused' | 'unheard' | null;

async function docsOf(verdicts: readonly Verdict[]) {
  const docs = createMemoryDocuments();
  await docs.ensure([credentialCollection, credentialVerdictCollection]);
  const { record } = createCredentialVerdicts({ docs, runtime: { now: () => Date.parse('2026-11-20T10:00:00Z') } });
  for (const [i, verdict] of verdicts.entries()) {
    const id = `app_${String(i).padStart(2, '0')}`;
    const doc = { projectId: 'proj_1', store: 'ios-store' };
    await docs.write([[{ c: credentialCollection.name, id, expect: null, guard: '1', doc }]]);
    if (verdict === 'accepted') await record(id, { kind: 'accepted' });
    else if (verdict !== null) await record(id, { kind: verdict, error: `${verdict} with 401` });
  }
  return docs;
}

describe('store credentials in doctor', () => {
  const rows: readonly (readonly [what: string, verdicts: readonly Verdict[], state: string, detail: RegExp])[] = [
    ['of no app', [], 'ok', /^no app has any$/],
    ['that are accepted', ['accepted', 'accepted'], 'ok', /^the stores accept those of 2 apps$/],
    [
      'that one store refused',
      ['accepted', 'refused'],
      'warn',
      /^1 of 2 apps: app_01 \(ios-store\): refused with 401$/,
    ],
    ['that no store has seen', [null], 'warn', /^1 of 1 apps: app_00 \(ios-store\): not used yet$/],
    ['of a store that is away', ['unheard'], 'warn', /^1 of 1 apps: app_00 \(ios-store\): unheard with 401$/],
    ['of many apps', Array.from({ length: 12 }, () => 'refused' as const), 'warn', /app_09 .* 401; and 2 more$/],
  ];
  for (const [what, verdicts, state, detail] of rows)
    it(`${what}: ${state}`, async () => {
      const check = await checkCredentials(await docsOf(verdicts));
      expect(check).to.include({ name: 'store credentials', state });
      expect(check.detail).to.match(detail);
    });
});

describe('report sources in doctor', () => {
  const source: ReportSource = {
    ...{ projectId: 'proj_1', store: 'ios-store', account: '81234567', terms: {}, sealedKey: null, fetched: {} },
    ...{ createdAt: '2026-11-20T10:00:00.000Z', dueAt: '2026-11-21T10:00:00.000Z', attempts: 0, request: null },
    lastLook: null,
  };
  const problem = { code: 'role_missing' as const, message: 'it needs the role Finance' };
  const look = { at: '2026-11-20T10:00:00.000Z', added: [], unchanged: 0, unpublished: [], problem };
  for (const [what, sources, state, detail] of [
    ['of no app', [], 'ok', /^no app has any$/],
    ['that are read', [source], 'ok', /^the reports of 1 apps are fetched$/],
    [
      'that one store refused',
      [source, { ...source, lastLook: look }],
      'warn',
      /^1 of 2 apps: app_1 \(ios-store\): it needs the role Finance$/,
    ],
  ] as const)
    it(`${what}: ${state}`, async () => {
      const docs = createMemoryDocuments();
      await docs.ensure([reportSourceCollection]);
      for (const [i, doc] of sources.entries())
        await docs.write([[{ c: reportSourceCollection.name, id: `app_${i}`, expect: null, guard: '1', doc }]]);
      const check = await checkReportSources(docs);
      expect(check).to.include({ name: 'report sources', state });
      expect(check.detail).to.match(detail);
    });
});
