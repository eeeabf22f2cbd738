// Roles: what a role may not do is not shown, and just looking asks for nothing that is refused.
import { expect } from 'chai';
import type { Json } from '../http/support/harness.js';
import { setUpStage, openPage, visitAs } from './support/stage.js';
import { PASSWORD, visit } from './support/visitor.js';

const AMOUNT = /\$\s?\d|\d\s?\$|\d USD|€|Spent|Revenue|MRR/;
const CONFIGURE = /^(Add|Make key|Register app|Attach|Invite|Remove|Change|Withdraw|Rotate|Delete)/;

describe('roles on the page', () => {
  const stage = setUpStage();

  for (const role of ['admin', 'analyst', 'support', 'viewer']) {
    it(`opens all pages as ${role} without a rejected request`, async () => {
      const { visitor, token } = await visitAs(stage, role);
      const { page, refusals } = visitor;
      const shownPages: string[] = [];
      await openPage(visitor, `${stage.url}/dashboard${stage.base}/customers`);
      const links = await page.getByRole('navigation', { name: 'Pages' }).getByRole('link').all();
      for (const link of links) shownPages.push((await link.getAttribute('href')) ?? '');
      const { items } = await stage.api(`/v1${stage.base}/customers?limit=1&status=active`);
      shownPages.push(`/dashboard${stage.base}/customers/${items[0].id}`);
      refusals.splice(0);
      for (const path of shownPages) {
        await openPage(visitor, `${stage.url}${path}`);
        const buttons = await page.locator('main').getByRole('button').allInnerTexts();
        if (role !== 'admin')
          expect(
            buttons.filter((text) => CONFIGURE.test(text) && text !== 'Add filter'),
            path,
          ).to.have.length(0);
        if (role === 'support') {
          const lines = (await page.locator('main').innerText()).split('\n');
          expect(
            lines.filter((line) => AMOUNT.test(line)),
            path,
          ).to.deep.equal([]);
        }
      }
      expect(refusals).to.deep.equal([]);
      expect(visitor.complaints).to.deep.equal([]);
      const titles = shownPages.map((path) => path.split('/').at(-1)?.split('?')[0]);
      if (role === 'support') expect(titles).to.not.include.members(['charts', 'overview']);
      else expect(titles).to.include.members(['charts', 'overview']);
      const grants = await page.getByRole('button', { name: 'Grant access' }).count();
      expect(grants).to.equal(role === 'admin' || role === 'support' ? 1 : 0);
      if (role === 'support') await expectNoMoney(token);
      await visitor.close();
    }).timeout(120_000);
  }

  async function expectNoMoney(token: string): Promise<void> {
    const as = { token };
    for (const path of ['metrics/overview', 'metrics/charts/mrr']) {
      expect((await stage.call('GET', `/v1${stage.base}/${path}`, undefined, as)).status, path).to.equal(403);
    }
    const { body } = await stage.call('GET', `/v1${stage.base}/customers?limit=20`, undefined, as);
    expect(body.items).to.have.length(20);
    for (const customer of body.items as Json[]) expect(customer).to.not.have.property('totalSpentUsd');
  }

  it('joins by the address that was handed over', async () => {
    const invited = { email: 'sam@example.com', role: 'support' };
    const { body } = await stage.call('POST', `/v1${stage.base}/members`, invited, { token: stage.token });
    const guest = await visit(stage.browser, stage.url);
    const { page } = guest;
    await page.goto(`${stage.url}/dashboard/invitation#${body.token}`);
    await page.reload();
    await page.getByLabel('Email').fill(invited.email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByRole('link', { name: /user-/ }).first().waitFor();
    expect(await page.getByRole('link', { name: 'Charts' }).count()).to.equal(0);
    expect(guest.complaints).to.deep.equal([]);
    await guest.close();
  });
});
