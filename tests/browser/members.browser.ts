// Members of a project, their roles, and the audit log.
import { expect } from 'chai';
import type { Json } from '../http/support/harness.js';
import { PASSWORD } from './support/visitor.js';
import { openMenu, setUpStage } from './support/stage.js';

describe('members on the page', () => {
  const stage = setUpStage();

  it('invites, shows the address once, withdraws, changes a role and removes', async () => {
    const { page } = stage.owner;
    const invite = async (email: string) => {
      await page.getByRole('button', { name: 'Invite member…' }).click();
      const dialog = page.getByRole('dialog', { name: 'Invite member' });
      await dialog.getByLabel('Email').fill(email);
      await dialog.getByLabel('Role').selectOption('analyst');
      await dialog.getByRole('button', { name: 'Invite member' }).click();
      const shown = page.getByRole('dialog', { name: 'Share this address' });
      const address = (await shown.locator('code').textContent()) ?? '';
      await shown.getByRole('button', { name: 'Close' }).click();
      return address;
    };
    await stage.open(`${stage.base}/members`);
    await invite('later@example.com');
    await page.getByRole('button', { name: 'Withdraw…' }).click();
    const asked = page.getByRole('dialog', { name: 'Revoke the invitation of later@example.com' });
    await asked.getByRole('button', { name: 'Withdraw' }).click();
    await page.getByText('No open invitations. Invite a person above').waitFor();
    const [, invitationToken] = (await invite('ada@example.com')).split('#');
    const ada = { email: 'ada@example.com', password: PASSWORD, invitationToken };
    expect((await stage.call('POST', '/auth/register', ada)).status).to.equal(201);
    await stage.open(`${stage.base}/members`);
    const row = page.getByRole('row').filter({ hasText: 'ada@example.com' });
    await row.getByLabel('Role of ada@example.com').selectOption('viewer');
    await row.getByRole('button', { name: 'Change' }).click();
    await page.getByText('ada@example.com is viewer now.').waitFor();
    const members: Json[] = (await stage.api(`/v1${stage.base}/members`)).items;
    expect(members.find(({ email }) => email === ada.email).role).to.equal('viewer');
    await openMenu(row, 'ada@example.com');
    await row.getByRole('button', { name: 'Remove…' }).click();
    await page.getByRole('dialog', { name: 'Remove ada@example.com' }).getByRole('button', { name: 'Remove' }).click();
    await row.waitFor({ state: 'detached' });
  });

  it('shows who changed what', async () => {
    const { page } = stage.owner;
    await stage.open(`${stage.base}/audit`);
    const row = page.getByRole('row').filter({ hasText: 'member role changed' });
    await row.getByText(/^Role: .*viewer$/).waitFor();
    await row.getByRole('button', { name: /^you/ }).click();
    await page.getByRole('button', { name: /^Only by you/ }).waitFor();
    expect((await stage.api(`/v1${stage.base}/members`)).items.map(({ id }: Json) => id)).to.include(
      new URL(page.url()).searchParams.get('actor'),
    );
  });
});
