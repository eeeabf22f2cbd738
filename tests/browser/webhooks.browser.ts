// A webhook's life on the page: its deliveries to a receiver that refuses at first, what they wait for, sending again, changing it.
import { expect } from 'chai';
import type { Json } from '../http/support/harness.js';
import { startWebhookReceiver, type ReceivedWebhook, type WebhookReceiver } from '../../simulator/webhook-receiver.js';
import { openMenu, setUpStage } from './support/stage.js';

const isDelivered = ({ state }: Json): boolean => state === 'delivered';

describe('webhooks on the page', () => {
  const stage = setUpStage();
  const received: ReceivedWebhook[] = [];
  let receiver: WebhookReceiver;
  let webhook: Json;
  let place: string;

  before(async () => {
    receiver = await startWebhookReceiver((one) => received.push(one));
    await stage.owner.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  });
  after(() => receiver.stop());

  const deliveries = async (): Promise<Json[]> => (await stage.api(`/v1${place}/deliveries?limit=100`)).items;
  const until = async (fits: (all: readonly Json[]) => boolean): Promise<readonly Json[]> => {
    for (;;) {
      const all = await deliveries();
      if (fits(all)) return all;
    }
  };
  /** Deliveries about a customer, without the test event of a new webhook. */
  const attempted = (all: readonly Json[]) => all.filter((one) => one.attempts.length > 0 && one.appUserId !== null);

  it('is made with the kinds that were chosen, and its secret is shown once', async () => {
    const { page } = stage.owner;
    await stage.open(`${stage.base}/webhooks`);
    await page.getByRole('button', { name: 'Add webhook…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add webhook' });
    await dialog.getByLabel('Name', { exact: true }).fill('Warehouse');
    await dialog.getByLabel('Address').fill(receiver.url);
    await dialog.getByLabel('Events', { exact: true }).selectOption('some');
    await dialog.getByRole('button', { name: 'Add webhook' }).click();
    await dialog.getByText('Choose at least one event type').waitFor();
    for (const kind of ['INITIAL_PURCHASE', 'ENTITLEMENT_CHANGED', 'TEST']) await dialog.getByLabel(kind).check();
    await dialog.getByRole('button', { name: 'Add webhook' }).click();
    const secret = await page
      .getByRole('dialog', { name: /secret/ })
      .locator('code')
      .textContent();
    expect(secret).to.match(/^whsec_/);
    await page.getByRole('button', { name: 'Close' }).click();
    [webhook] = (await stage.api(`/v1${stage.base}/webhooks`)).items.filter((one: Json) => one.url === receiver.url);
    place = `${stage.base}/webhooks/${webhook.id}`;
    expect([...webhook.eventTypes].sort()).to.deep.equal(['ENTITLEMENT_CHANGED', 'INITIAL_PURCHASE', 'TEST']);
  });

  it('shows which delivery blocks another one', async () => {
    const { page } = stage.owner;
    await stage.call('POST', `/v1${stage.base}/demo/purchase`, undefined, { token: stage.token });
    const all = await until(
      (some) => some.filter((one) => one.appUserId !== null).length >= 2 && attempted(some).length === 1,
    );
    const [first] = attempted(all);
    const waiting = all.find((one) => one.id !== first?.id && one.appUserId === first?.appUserId);
    await stage.open(`${place}?delivery=${waiting?.id}`);
    const note = page.getByText('Waiting, to keep the order, for');
    await note.waitFor();
    await note.getByRole('link', { name: first?.type }).click();
    const opened = page.getByRole('region', { name: 'Delivery' });
    await opened.getByRole('cell', { name: '401' }).waitFor();
  });

  it('is given a new secret, with which what was refused is sent again', async () => {
    const { page } = stage.owner;
    await stage.open(place);
    await openMenu(page, 'Warehouse');
    await page.getByRole('button', { name: 'Rotate secret…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Rotate secret' });
    await dialog.getByLabel(/Old secret stays valid/).fill('0');
    await dialog.getByRole('button', { name: 'Rotate secret' }).click();
    const shown = page.getByRole('dialog', { name: /secret/ });
    await shown.locator('code').waitFor();
    receiver.trust((await shown.locator('code').textContent()) ?? '');
    await shown.getByRole('button', { name: 'Close' }).click();
    const [first] = attempted(await deliveries());
    await stage.open(`${place}?delivery=${first?.id}`);
    await page.getByRole('button', { name: 'Send again', exact: true }).click();
    await page.getByText('Sending again.').waitFor();
    const done = await until((all) => attempted(all).length > 1 && attempted(all).every(isDelivered));
    expect(received.filter(({ isSigned }) => isSigned).length).to.be.at.least(attempted(done).length);
  });

  it('narrows its deliveries by state, kind and customer, and keeps that in the address', async () => {
    const { page } = stage.owner;
    await stage.open(place);
    await page.getByLabel('State').selectOption('failed');
    await page.getByText('No delivery is failed.').waitFor();
    await page.getByLabel('State').selectOption('delivered');
    await page.getByLabel('Kind').selectOption('INITIAL_PURCHASE');
    const row = page.getByRole('row').filter({ hasText: 'INITIAL_PURCHASE' });
    const [{ appUserId }] = attempted(await deliveries()) as [Json];
    await row.getByRole('button', { name: appUserId }).click();
    await page.getByRole('button', { name: `Only of ${appUserId}` }).waitFor();
    expect(Object.fromEntries(new URL(page.url()).searchParams)).to.include({
      ...{ state: 'delivered', type: 'INITIAL_PURCHASE', appUserId },
    });
    await row.first().waitFor();
    expect(await row.count()).to.equal(1);
  });

  it('sends again what was sent in a time', async () => {
    const { page } = stage.owner;
    // The test event was refused at first too, and waits for its next attempt.
    for (const { id, state } of await deliveries()) {
      const again = `/v1${place}/deliveries/${id}/redeliver`;
      if (state !== 'delivered') await stage.call('POST', again, {}, { token: stage.token });
    }
    const sent = (await until((all) => all.every(isDelivered))).length;
    const before = signed();
    await stage.open(place);
    await page.getByRole('button', { name: 'Send again since…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Failed deliveries only').uncheck();
    await dialog.getByRole('button', { name: 'Send again', exact: true }).click();
    await page.getByText(`${sent} deliveries queued.`).waitFor();
    await until((all) => all.every(isDelivered) && signed() >= before + sent);
    expect(signed()).to.equal(before + sent);
  });

  it('gives a delivery as a command for a shell', async () => {
    const { page } = stage.owner;
    const [delivery] = (await deliveries()) as [Json];
    await stage.open(`${place}?delivery=${delivery.id}`);
    await page.getByRole('button', { name: 'Copy as curl' }).click();
    await page.getByText(/^Copied without a signature/).waitFor();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(copied).to.include(`curl -X POST '${receiver.url}'`).and.include(delivery.eventId);
  });

  it('is sent the example of a kind, which is shown before', async () => {
    const { page } = stage.owner;
    await stage.open(place);
    await page.getByRole('button', { name: 'Send test event…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Send test event' });
    await dialog.getByText('"type": "TEST"').waitFor();
    await dialog.getByLabel('Kind').selectOption('PRODUCT_CHANGE');
    await dialog.getByText('"newStoreProductId": "com.example.pro.year"').waitFor();
    const before = received.length;
    await dialog.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('The example of PRODUCT_CHANGE is').waitFor();
    const all = await until((some) => some.every(isDelivered));
    expect(all[0]).to.include({ type: 'PRODUCT_CHANGE', appUserId: null });
    expect(received.length).to.equal(before + 1);
  });

  it('is changed to the format of RevenueCat, and then tested with its kinds only', async () => {
    const { page } = stage.owner;
    await stage.open(place);
    await openMenu(page, 'Warehouse');
    await page.getByRole('button', { name: 'Edit…' }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Payload format').selectOption({ label: 'RevenueCat' });
    await form.getByRole('button', { name: 'Save' }).click();
    await form.waitFor({ state: 'detached' });
    expect(await stage.api(`/v1${place}`)).to.include({ payloadFormat: 'revenuecat' });
    await page.getByRole('button', { name: 'Send test event…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Send test event' });
    await dialog.getByText('"api_version": "1.0"').waitFor();
    const kinds = await dialog.getByLabel('Kind').locator('option').allTextContents();
    expect(kinds).to.include('CANCELLATION').and.not.include.members(['REFUND']);
    await page.keyboard.press('Escape');
  });

  it('is edited, turned off and deleted', async () => {
    const { page } = stage.owner;
    await stage.open(place);
    await openMenu(page, 'Warehouse');
    await page.getByRole('button', { name: 'Edit…' }).click();
    await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Stock');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'Stock' }).waitFor();
    await openMenu(page, 'Stock');
    await page.getByRole('button', { name: 'Turn off…' }).click();
    await page.getByRole('dialog').getByText('Its events are stored for 30 days').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click();
    await page.getByRole('button', { name: 'Turn on' }).waitFor();
    expect(await stage.api(`/v1${place}`)).to.include({ name: 'Stock', enabled: false });
    await openMenu(page, 'Stock');
    await page.getByRole('button', { name: 'Delete…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
    expect((await stage.call('GET', `/v1${place}`, undefined, { token: stage.token })).status).to.equal(404);
  });

  function signed(): number {
    return received.filter(({ isSigned }) => isSigned).length;
  }
});
