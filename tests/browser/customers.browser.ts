// Customer pages: identity, explanation of access, and grants.
import { expect } from 'chai';
import type { Json } from '../http/support/harness.js';
import { setUpStage } from './support/stage.js';

describe('customers on the page', () => {
  const stage = setUpStage();

  it('finds a customer by sent values, and explains the access', async () => {
    const { page } = stage.owner;
    const { items } = await stage.api(`/v1${stage.base}/customers?limit=20&status=expired`);
    const customer = items.find(({ appUserId }: Json) => appUserId.startsWith('user-'));
    await stage.open(`${stage.base}/overview`);
    await page.keyboard.press('/');
    await page.getByRole('combobox', { name: /Any ID or email/ }).fill(customer.appUserId);
    await page.getByRole('option', { name: customer.appUserId }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: customer.appUserId }).waitFor();
    const { items: products } = await stage.api(`/v1${stage.base}/products?limit=100`);
    /** Times have a comma on the page, as all others there. */
    const withTimes = (sentence: string): string =>
      sentence.replaceAll(/(\d{4}) (\d\d:\d\d UTC)/g, '$1, $2').replaceAll(/\bSep (?=\d{4},)/g, 'Sept ');
    const inWords = (sentence: string): string =>
      products.reduce(
        (text: string, one: Json) => text.replaceAll(`${one.storeProductId} `, `“${one.displayName}” `),
        withTimes(sentence),
      );
    const explained = await stage.api(`/v1${stage.base}/customers/${customer.id}/access?entitlement=pro`);
    await page.getByText(inWords(explained.sentence), { exact: true }).first().waitFor();
    await page.getByRole('button', { name: 'Why?' }).click();
    await page.getByRole('heading', { name: 'Reasons' }).waitFor();
    await page.getByRole('button', { name: /Previous change/ }).click();
    await page.getByRole('button', { name: /Previous change/ }).click();
    await page.getByText(/access to pro then/).waitFor();
    const asOf = new URL(page.url()).searchParams.get('asOf') ?? '';
    const then = await stage.api(`/v1${stage.base}/customers/${customer.id}/access?entitlement=pro&asOf=${asOf}`);
    await page.getByText(inWords(then.sentence), { exact: true }).first().waitFor();
  });

  it('says what to do when an order cannot be looked up without the credentials of the app', async () => {
    const { page } = stage.owner;
    await stage.open(`${stage.base}/overview`);
    await page.keyboard.press('/');
    const box = page.getByRole('combobox', { name: /Any ID or email/ });
    await box.fill('MK5TTTVWJH');
    const advice = page.getByText(/order ID of the App Store, register the credentials of the app Stargazer for iOS/);
    await advice.waitFor();
    await box.fill('nobody-has-this-id');
    await page.getByText(/^No results\. Enter the full ID/).waitFor();
    expect(await advice.count()).to.equal(0);
  });

  it('grants access and takes it back, with the keyboard alone', async () => {
    const { page } = stage.owner;
    const { items } = await stage.api(`/v1${stage.base}/customers?limit=20&status=expired`);
    await stage.open(`${stage.base}/customers/${items[0].id}`);
    await page.getByLabel('For', { exact: true }).focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.locator('strong', { hasText: 'Has access to pro' }).waitFor();
    const revoke = page.getByRole('button', { name: 'Revoke…', exact: true });
    await revoke.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Revoke pro' }).getByRole('button', { name: 'Revoke' }).focus();
    await page.keyboard.press('Enter');
    await page.locator('strong', { hasText: 'No access to pro' }).waitFor();
  });

  it('finds the same customer by everything that a user can send', async () => {
    const { page } = stage.owner;
    const [transaction]: Json[] = (await stage.api(`/v1${stage.base}/transactions?limit=1`)).items;
    const { customerId: id, appUserId, id: transactionId } = transaction;
    const email = 'who.asks@example.com';
    const as = { token: stage.token, headers: { 'x-project-id': stage.projectId } };
    const path = `/v1/subscribers/${encodeURIComponent(appUserId)}/attributes`;
    await stage.call('POST', path, { attributes: { $email: email } }, as);
    for (const sent of [id, appUserId, email, transactionId]) {
      await stage.open(`${stage.base}/overview`);
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: /Any ID or email/ }).fill(sent);
      await page.getByRole('option', { name: appUserId }).first().waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: appUserId, exact: true }).waitFor();
    }
  });

  it('erases a customer on request, and none by accident', async () => {
    const { page } = stage.owner;
    const as = { token: stage.token, headers: { 'x-project-id': stage.projectId } };
    const appUserId = 'wants-to-go';
    await stage.call('POST', `/v1/subscribers/${appUserId}`, { attributes: { note: 'please forget me' } }, as);
    await stage.open(`${stage.base}/customers?search=${appUserId}`);
    await page.getByRole('link', { name: appUserId }).click();
    await page.getByRole('button', { name: 'Erase…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(/^Type/).fill('somebody-else');
    await dialog.getByRole('button', { name: 'Erase' }).click();
    await dialog.getByText('nothing was erased').waitFor();
    await dialog.getByLabel(/^Type/).fill(appUserId);
    await dialog.getByRole('button', { name: 'Erase' }).click();
    await page.getByText('Erased.', { exact: true }).waitFor();
    await stage.harness.service().waitForReactions();
    const found = await stage.api(`/v1${stage.base}/customers?search=${appUserId}`);
    expect(found.items).to.deep.equal([]);
  });

  it('steps through a life of more changes than a page of the timeline holds', async () => {
    const { page } = stage.owner;
    const as = { token: stage.token, headers: { 'x-project-id': stage.projectId } };
    for (let n = 0; n < 105; n++) {
      const note = { attributes: { note: String(n) } };
      expect((await stage.call('POST', '/v1/subscribers/long-life', note, as)).status).to.be.below(300);
    }
    const [{ id }]: Json[] = (await stage.api(`/v1${stage.base}/customers?search=long-life`)).items;
    const oldest = await stage.api(`/v1${stage.base}/customers/${id}/timeline?order=oldest&limit=20`);
    const [first]: Json[] = oldest.items;
    const second = oldest.items.find((one: Json) => Date.parse(one.recordedAt) > Date.parse(first.recordedAt) + 1);
    await stage.open(`${stage.base}/customers/${id}?asOf=${second.recordedAt}`);
    await page.getByRole('button', { name: 'Previous change' }).click();
    expect(new URL(page.url()).searchParams.get('asOf')).to.equal(first.recordedAt);
    await page.getByRole('button', { name: 'Next change' }).click();
    expect(new URL(page.url()).searchParams.get('asOf')).to.equal(second.recordedAt);
  });

  it('shows every event once, also after a change while a second page of the timeline is open', async () => {
    const { page, settled } = stage.owner;
    const as = { token: stage.token, headers: { 'x-project-id': stage.projectId } };
    for (let n = 0; n < 60; n++) {
      const note = { attributes: { [`note-${n % 2}`]: String(n) } };
      expect((await stage.call('POST', '/v1/subscribers/many-notes', note, as)).status).to.be.below(300);
    }
    const [{ id }]: Json[] = (await stage.api(`/v1${stage.base}/customers?search=many-notes`)).items;
    await stage.open(`${stage.base}/customers/${id}`);
    const timeline = page.locator('.customer-timeline');
    await timeline.getByRole('button', { name: 'Show more' }).click();
    await settled();
    await page.getByRole('button', { name: 'Grant access' }).click();
    await timeline
      .getByText(/granted/i)
      .first()
      .waitFor();
    await settled();
    const { items }: Json = await stage.api(`/v1${stage.base}/customers/${id}/timeline?limit=100`);
    const summaries = items.map(({ summary }: Json) => summary).filter((text: string) => text.includes('note-'));
    expect(summaries.length).to.equal(60);
    const listed = await timeline.locator('.summary', { hasText: 'note-' }).allTextContents();
    expect(listed.map((text) => text.trim())).to.deep.equal(summaries);
  });

  it('sends once what is submitted with a double click', async () => {
    const { page, settled } = stage.owner;
    const [{ id }]: Json[] = (await stage.api(`/v1${stage.base}/customers?limit=1`)).items;
    await stage.open(`${stage.base}/customers/${id}`);
    let sentCount = 0;
    page.on('request', (request) => (sentCount += request.url().endsWith(`/customers/${id}/refresh`) ? 1 : 0));
    const button = page.getByRole('button', { name: 'Refresh from the stores' });
    await button.click();
    await page.getByText('purchases read from the stores').first().waitFor();
    await settled();
    // The second click of the same double click, after the response to the first.
    await page.mouse.down({ clickCount: 2 });
    await page.mouse.up({ clickCount: 2 });
    await settled();
    expect(sentCount).to.equal(1);
  });

  it('lists a search by ID, and says so', async () => {
    const { page } = stage.owner;
    await stage.open(`${stage.base}/customers?search=user-`);
    await page.getByText('By app user ID', { exact: true }).waitFor();
    const listed = await page.locator('.customers tbody th').allTextContents();
    expect(listed).to.deep.equal([...listed].sort());
    await stage.open(`${stage.base}/customers`);
    await page.getByText('Newest first', { exact: true }).waitFor();
  });
});
