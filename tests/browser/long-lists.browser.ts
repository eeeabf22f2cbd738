// Lists that are longer than a page of the interface.
import { openPage, setUpStage } from './support/stage.js';
import { PASSWORD, register, visit } from './support/visitor.js';

const DEFAULT_LIMIT = 20;

describe('long lists of the page', () => {
  const stage = setUpStage();

  it('opens the oldest of more projects than a page has', async () => {
    const email = 'agency@example.com';
    const visitor = await visit(stage.browser, stage.url);
    await register(visitor, email);
    const { body } = await stage.call('POST', '/auth/login', { email, password: PASSWORD });
    const ids: string[] = [];
    for (let n = 0; n <= DEFAULT_LIMIT; n++) {
      const made = await stage.call('POST', '/v1/projects', { name: `Client ${n}` }, { token: body.accessToken });
      ids.push(made.body.id);
    }
    await openPage(visitor, `${stage.url}/dashboard/projects/${ids[0]}/overview`);
    await visitor.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await openPage(visitor, `${stage.url}/dashboard/projects`);
    await visitor.page
      .getByRole('link', { name: /^Client 0\b/ })
      .first()
      .waitFor();
    await visitor.close();
  });
});
