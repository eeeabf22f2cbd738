// The end of a session and of the server: nothing that was typed is lost, and no tab stays behind.
import { expect } from 'chai';
import { EMAIL, logIn, openPage, setUpStage } from './support/stage.js';
import { PASSWORD, visit } from './support/visitor.js';

const TYPED = 'A name that was long in the making';

describe('sessions of the page', () => {
  const stage = setUpStage();
  /** Another window of the owner, so that the session of the other specs goes on. */
  const arrive = async () => {
    const visitor = await visit(stage.browser, stage.url);
    await logIn(visitor, EMAIL);
    await openPage(visitor, `${stage.url}/dashboard/projects`);
    return visitor;
  };

  it('keeps what was typed when a session ends', async () => {
    const visitor = await arrive();
    const { page, context } = visitor;
    await page.getByLabel('Name').fill(TYPED);
    const [cookie] = await context.cookies(`${stage.url}/auth`);
    const headers = { cookie: `${cookie?.name}=${cookie?.value}`, origin: stage.url };
    await stage.call('POST', '/auth/logout', undefined, { headers });
    await page.getByLabel('Bundle ID').fill('com.example.long');
    await page.getByRole('button', { name: 'Connect app' }).click();
    await page.getByRole('dialog', { name: 'Log in again' }).waitFor();
    await page.getByRole('dialog').getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.getByLabel('Name').inputValue()).to.equal(TYPED);
    expect(visitor.complaints).to.deep.equal([]);
    await visitor.close();
  });

  it('reports that the server is unavailable, keeps the input, and continues when it is back', async () => {
    const visitor = await arrive();
    const { page, context } = visitor;
    await page.getByLabel('Name').fill(TYPED);
    await context.setOffline(true);
    await page.getByLabel('Bundle ID').fill('com.example.long');
    await page.getByRole('button', { name: 'Connect app' }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByLabel('Name').inputValue()).to.equal(TYPED);
    await page.getByRole('link', { name: /Stargazer/ }).click();
    await page
      .getByText('The server cannot be reached')
      .or(page.getByText('Part of the page could not be loaded'))
      .first()
      .waitFor();
    await context.setOffline(false);
    await openPage(visitor, `${stage.url}/dashboard${stage.base}/overview`);
    await context.setOffline(true);
    await page.getByRole('switch', { name: 'Sandbox' }).click();
    const again = page.getByRole('button', { name: 'Try again' }).first();
    await again.waitFor();
    await context.setOffline(false);
    await again.click();
    await page.locator('.figure').first().waitFor();
    await visitor.close();
  });

  it('logs out in all tabs', async () => {
    const visitor = await arrive();
    const { page, context } = visitor;
    const other = await context.newPage();
    await other.goto(`${stage.url}/dashboard/projects`);
    await other.getByRole('heading', { name: 'Projects', exact: true }).waitFor();
    await page.getByRole('button', { name: 'You', exact: true }).click();
    await page.getByRole('button', { name: 'Log out' }).click();
    for (const tab of [page, other]) await tab.getByRole('button', { name: 'Log in' }).first().waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Log in' }).first().waitFor();
    await visitor.close();
  });

  it('stays logged in when the server cannot refresh the session at this moment', async () => {
    const visitor = await arrive();
    const { page } = visitor;
    const message = 'too many requests; retry in 1 second';
    const body = JSON.stringify({ statusCode: 429, message, error: 'Too Many Requests' });
    await page.route('**/auth/refresh', (route) =>
      route.fulfill({ status: 429, contentType: 'application/json', body }),
    );
    await page.reload();
    await page.getByRole('alert').getByText(message).waitFor();
    await page.unroute('**/auth/refresh');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Projects', exact: true }).waitFor();
    await visitor.close();
  });
});
