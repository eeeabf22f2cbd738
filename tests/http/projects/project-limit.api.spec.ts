// Limit of projects per user.
import { expect } from 'chai';
import { expectRefusal } from '../support/refusal.js';
import { setUpService } from '../support/setup.js';

describe('projects of a user', () => {
  const { harness, slice, asMember: as } = setUpService({ MAX_PROJECTS_PER_USER: '3' });
  const create = () => harness.call('POST', '/v1/projects', { name: 'Another' }, as);

  it('are as many as the server allows, also when they are created at once', async () => {
    const created = await Promise.all(Array.from({ length: 6 }, create));
    expect(created.map(({ status }) => status).sort()).to.deep.equal([201, 201, 409, 409, 409, 409]);
    const refused = await create();
    expectRefusal(refused, 409);
    expect(refused.body.message).to.include('3 projects').and.to.include('delete one');
  });

  it('may be created again after one was deleted', async () => {
    expect((await harness.call('DELETE', `/v1/projects/${slice.projectId}`, undefined, as)).status).to.equal(200);
    expect((await create()).status).to.equal(201);
    expectRefusal(await create(), 409);
  });
});
