// Store credentials in `subledger doctor`: the stores' last responses to them.
import { expect } from 'chai';
import { checkCredentials } from '../../src/cli/doctor/doctor-checks.js';
import {
  createCredentialVerdicts,
  credentialVerdictCollection,
} from '../../src/commands/projects/credential-checks.js';
import { credentialCollection } from '../../src/commands/projects/credentials.js';
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
