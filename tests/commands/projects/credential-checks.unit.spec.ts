// Verdict of a store on credentials, stored by an earlier version.
import { expect } from 'chai';
import {
  createCredentialVerdicts,
  credentialVerdictCollection,
  findCredentialsCheck,
} from '../../../src/commands/projects/credential-checks.js';
import { BEGIN, memoryDeps } from '../support/memory-deps.js';

describe('a stored verdict on credentials of an earlier version', () => {
  it('keeps the error of the list until the store sends a readable one', async () => {
    const { deps } = await memoryDeps();
    await deps.docs.ensure([credentialVerdictCollection]);
    const doc = { valid: true, lastCheckedAt: BEGIN, lastError: null, leftOut: 'an entry is unreadable' };
    await deps.docs.write([[{ c: credentialVerdictCollection.name, id: 'app_1', expect: null, guard: '1', doc }]]);
    expect(await findCredentialsCheck(deps, 'app_1')).to.include({ valid: true, lastError: 'an entry is unreadable' });
    await createCredentialVerdicts(deps).record('app_1', { kind: 'readInPart', error: null });
    expect(await findCredentialsCheck(deps, 'app_1')).to.include({ valid: true, lastError: null });
  });
});
