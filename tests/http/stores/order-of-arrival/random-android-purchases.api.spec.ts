// Random android purchases sent to the whole service: in order, repeated, mixed with receipts, late by hours or days, and behind a
// backlog, each in a project of its own beside the others, while the store always shows what is now. `HTTP_PURCHASES` sets how many (6),
// `SEED` which. What a late read cannot know any more is in docs/order-of-arrival.md; all else is the same.
import { expect } from 'chai';
import { pushBody } from '../../../../simulator/android-store/payloads.js';
import { startAndroidStore, type SimulatedAndroidStore } from '../../../../simulator/android-store/server.js';
import { createRandom, type Random } from '../../../../simulator/random.js';
import { BASE_PLAN, drawScript, PRODUCTS, type Script, type Step } from './android-purchase-plans.js';
import { PACKAGE } from '../android/scenario.js';
import { setUpProject, startHarness, type Harness, type Slice } from '../../support/harness.js';
import { createManualClock } from '../../support/manual-clock.js';
import { listenForKinds, type SentKinds } from '../../support/webhook-messages.js';

const PURCHASES = Number(process.env['HTTP_PURCHASES'] ?? 6);
const SEED = Number(process.env['SEED'] ?? 7);
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const START = Date.parse('2027-01-01T10:00:00.000Z');
const LAST_DAY = 130;
const END = START + (LAST_DAY + 7) * DAY_MS;
const LATER = [0, 5, 15, 30, 60].map((days) => END + days * DAY_MS);

type Project = Slice & { readonly androidAppId: string; readonly path: string; readonly sentKinds: SentKinds };
type Message = { readonly script: Script; readonly step: Step; readonly part: number; readonly again?: string };
type Receipt = { readonly script: Script; readonly step: Step; readonly receipt: true };
/** Messages to a project with their times (ms). */
type Plan = readonly { readonly at: number; readonly message: Message | Receipt }[];

describe(`${PURCHASES} random android purchases received in any order (seed ${SEED})`, function () {
  this.timeout(180_000);
  const clock = createManualClock(START);
  const random = createRandom(String(SEED));
  const scripts = Array.from({ length: PURCHASES }, (_, i) => {
    const name = `token-${SEED}-${i}`;
    return drawScript(random, { appUserId: `user-${i}`, name, startMs: START, untilDay: LAST_DAY });
  });
  const atOf = ({ day }: Step) => START + day * DAY_MS;
  const messages: readonly Message[] = scripts.flatMap((script) =>
    script.steps.flatMap((step) => step.kinds.map((_, part) => ({ script, step, part }))),
  );
  const receiptOf = ({ script, step }: Message): Receipt => ({ script, step, receipt: true });
  let harness: Harness;
  let store: SimulatedAndroidStore;
  const projects = new Map<string, Project>();

  const post = async (path: string, body: object, key: string) => {
    const response = await harness.call('POST', path, body, { key });
    expect(response.status, `${path} ${JSON.stringify(response.body)}`).to.be.within(200, 201);
    return response.body;
  };
  const setUp = async (): Promise<Project> => {
    const slice = await setUpProject(harness);
    const base = `/v1/projects/${slice.projectId}`;
    const as = slice.secretKey;
    const fields = { name: 'Android', platform: 'android', packageName: PACKAGE };
    const { id: appId, notificationUrl } = await post(`${base}/apps`, fields, as);
    for (const name of PRODUCTS) {
      const storeProductId = `${name}:${BASE_PLAN}`;
      const more = { duration: 'P30D', gracePeriodDuration: 'P6D' };
      const product = { appId, storeProductId, displayName: name, type: 'subscription', ...more };
      const { id } = await post(`${base}/products`, product, as);
      await post(`${base}/entitlements`, { lookupKey: name, displayName: name }, as);
      await post(`${base}/entitlements/${name}/products`, { productId: id }, as);
    }
    const credentials = { serviceAccountJson: store.identity.keyFile() };
    await post(`${base}/apps/${appId}/credentials/android-store`, credentials, as);
    for (const { appUserId } of scripts) await post(`/v1/subscribers/${appUserId}`, {}, as);
    const sentKinds = await listenForKinds(harness, slice);
    return { ...slice, androidAppId: appId, path: new URL(notificationUrl).pathname, sentKinds };
  };

  const deliver = async (project: Project, message: Message | Receipt) => {
    const { script, step } = message;
    const { appUserId } = script;
    if ('receipt' in message) {
      const body = {
        store: 'android-store',
        receipt: step.token,
        productId: step.product,
        appId: project.androidAppId,
      };
      await post(`/v1/subscribers/${appUserId}/receipts`, body, project.secretKey);
      return;
    }
    const kind = step.kinds[message.part]?.kind ?? {};
    const messageId = `${appUserId}-${script.steps.indexOf(step)}-${message.part}${message.again ?? ''}`;
    const body = pushBody({ packageName: PACKAGE, atMs: atOf(step), messageId, kind });
    await post(project.path, body, project.secretKey);
  };
  const show = (step: Step) => {
    for (const [token, resource] of step.shown) store.subscriptions.set(token, resource);
    for (const [id, resource] of step.orders) store.orders.set(id, resource);
    store.voided.push(...step.voided);
  };
  const inTurn = async <T>(items: readonly T[], work: (item: T) => Promise<void>) => {
    for (const item of items) await work(item);
  };
  /** Messages about one customer go one after another, and the service is idle in between: the store is read for each at once. */
  const play = async (plans: ReadonlyMap<Project, Plan>) => {
    const steps = scripts.flatMap((script) => script.steps);
    const instants = new Set([...steps.map(atOf), ...[...plans.values()].flatMap((plan) => plan.map(({ at }) => at))]);
    for (const at of [...instants].sort((a, b) => a - b)) {
      clock.set(at);
      for (const step of steps) if (atOf(step) === at) show(step);
      const due = [...plans].map(([project, plan]) => [project, plan.filter((one) => one.at === at)] as const);
      const longest = Math.max(...due.map(([, plan]) => plan.length));
      if (longest > 0)
        await Promise.all(
          due.flatMap(([project, plan]) =>
            scripts.map((script) =>
              inTurn(
                plan.filter((one) => one.message.script === script),
                async ({ message }) => {
                  await deliver(project, message);
                  if (at < END) await harness.service().idle();
                },
              ),
            ),
          ),
        );
      if ((at - START) % (3 * DAY_MS) === 0) await harness.service().passDeadlines();
    }
    clock.set(END);
    await harness.service().idle();
    await harness.service().passDeadlines();
    await harness.service().idle();
  };

  const promptly: Plan = messages.map((message) => ({ at: atOf(message.step), message }));
  const shuffled = <T>(drawn: Random, items: readonly T[]): readonly T[] => {
    const placed = items.map((item) => ({ item, place: drawn.next() }));
    return placed.sort((a, b) => a.place - b.place).map(({ item }) => item);
  };
  const plans: Readonly<Record<string, Plan>> = {
    inOrder: promptly,
    doubled: promptly.flatMap(({ at, message }) => [
      { at, message },
      { at, message },
      { at, message: { ...message, again: '-again' } },
    ]),
    receipts: promptly.flatMap((one, i) => {
      const receipt = { at: one.at, message: receiptOf(one.message as Message) };
      return i % 2 === 0 ? [one, receipt] : [receipt, one];
    }),
    hours: shuffled(random, promptly).map(({ at, message }) => ({
      at: at + random.whole(0, 2) * 4 * HOUR_MS,
      message,
    })),
    days: shuffled(random, promptly).flatMap(({ at, message }) => {
      const late = at + (random.chance(0.5) ? random.whole(1, 6) * DAY_MS + HOUR_MS : 0);
      const more = random.chance(0.2) ? [{ at, message: receiptOf(message as Message) }] : [];
      return [{ at: late, message }, ...more];
    }),
    backlog: shuffled(random, [
      ...promptly,
      ...promptly.map(({ message }) => ({ at: END, message: receiptOf(message as Message) })),
    ]).map(({ message }) => ({ at: END, message })),
  };

  before(async () => {
    store = await startAndroidStore(PACKAGE);
    // Loops make their first round alone: what they would do later is done in between.
    const pause = (_loop: string, _ms: number, signal: AbortSignal) =>
      new Promise<void>((resolve) => {
        if (signal.aborted) resolve();
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
    harness = await startHarness({ SETTLE_SLACK_SECONDS: '3600', ...store.settings }, { ...clock.runtime, pause });
    for (const name of Object.keys(plans)) projects.set(name, await setUp());
    await play(new Map([...projects].map(([name, project]) => [project, plans[name] ?? []])));
  });
  after(async () => {
    await harness.stop();
    await store.close();
  });

  const projectOf = (name: string): Project => {
    const project = projects.get(name);
    if (!project) throw new Error(`no project ${name}`);
    return project;
  };
  /** Ids are derived from the project's: what is left says the same in each. */
  const neutral = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value).replace(/\b(cus|sub|prod|ent|app|proj|whe)_[0-9a-z]{26}\b/g, '$1'));
  const sorted = (items: unknown) => (items as readonly unknown[]).map((item) => JSON.stringify(neutral(item))).sort();
  const get = async (project: Project, path: string) => {
    const url = `/v1/projects/${project.projectId}${path}`;
    const { status, body } = await harness.call('GET', url, undefined, { key: project.secretKey });
    expect(status, url).to.equal(200);
    return body;
  };
  const customer = (project: Project, { appUserId }: Script) => get(project, `/customers/${appUserId}`);
  const storedEvents = async (project: Project, { appUserId }: Script) => {
    const { items } = await get(project, `/customers/${appUserId}/timeline?order=oldest&limit=100`);
    return sorted(
      items
        .filter(({ type }: { type: string }) => type !== 'SubscriptionConfirmed')
        .map(({ type, at, data }: Record<string, unknown>) => ({
          type,
          at,
          data: { ...(data as object), storeTime: null },
        })),
    );
  };
  const moneyOf = async (project: Project): Promise<readonly string[]> => {
    const all: unknown[] = [];
    for (let after = ''; ;) {
      const { items, nextPage } = await get(project, `/transactions?limit=100${after}`);
      all.push(...items);
      if (nextPage === null) return sorted(all);
      after = `&startingAfter=${new URL(nextPage, 'http://any').searchParams.get('startingAfter')}`;
    }
  };
  const charts = async (project: Project): Promise<Record<string, unknown>> => {
    const { items } = await get(project, '/metrics/charts');
    const range = 'startDate=2026-12-01&endDate=2027-06-30&interval=month';
    const figures = items.map(async ({ id }: { id: string }) => {
      const { buckets, rows } = await get(project, `/metrics/charts/${id}?${range}`);
      return [id, buckets ?? rows];
    });
    return Object.fromEntries(await Promise.all(figures));
  };
  const open = ({ entitlements }: { readonly entitlements: readonly Record<string, unknown>[] }) =>
    entitlements
      .filter(({ active }) => active)
      .map(({ lookupKey, expiresAt }) => `${String(lookupKey)} ${String(expiresAt)}`)
      .sort();
  const scenarioOf = ({ appUserId, steps }: Script) => {
    const stateOf = (resource: Record<string, unknown>) => String(resource['subscriptionState']).slice(19);
    const listed = steps.map(({ day, shown }) => `${day} ${shown.map(([, resource]) => stateOf(resource)).join('+')}`);
    return `${appUserId}: ${listed.join(', ')}`;
  };

  type SubscriptionView = { readonly state: string; readonly renewalNumber: number };
  const endOf = ({ subscriptions, totalSpentUsd, status }: Record<string, unknown>) => ({
    totalSpentUsd,
    status,
    subscriptions: (subscriptions as readonly SubscriptionView[]).map((s) => `${s.state} ${s.renewalNumber}`).sort(),
  });
  /** Compares access at several instants, subscriptions and money, also after late reads. */
  const expectTheSameEnd = async (name: string) => {
    for (const script of scripts) {
      const [found, wanted] = await Promise.all(
        [projectOf(name), projectOf('inOrder')].map((p) => customer(p, script)),
      );
      expect(endOf(found), `${name}: ${scenarioOf(script)}`).to.deep.equal(endOf(wanted));
    }
    for (const at of LATER) {
      clock.set(at);
      for (const script of scripts) {
        const [found, wanted] = await Promise.all(
          [projectOf(name), projectOf('inOrder')].map((p) => customer(p, script)),
        );
        expect(open(found), `${name} at ${new Date(at).toISOString()}, ${scenarioOf(script)}`).to.deep.equal(
          open(wanted),
        );
      }
    }
    clock.set(END);
  };
  /** `order` of the webhooks: the messages come in the order in which the store sent them. */
  const expectTheSameEvents = async (name: string, order: 'same' | 'any') => {
    const [project, inOrder] = [projectOf(name), projectOf('inOrder')];
    for (const script of scripts) {
      expect(await storedEvents(project, script), `${name}, events: ${scenarioOf(script)}`).to.deep.equal(
        await storedEvents(inOrder, script),
      );
      const body = async (p: Project) => neutral({ ...(await customer(p, script)), lastSeenAt: null });
      expect(await body(project), `${name}, body: ${scenarioOf(script)}`).to.deep.equal(await body(inOrder));
      const kinds = async (p: Project) => {
        const sent = await p.sentKinds.about(script.appUserId);
        return order === 'same' ? sent : sent.toSorted();
      };
      expect(await kinds(project), `${name}, webhooks: ${scenarioOf(script)}`).to.deep.equal(await kinds(inOrder));
    }
    expect(await moneyOf(project), `${name}, transactions`).to.deep.equal(await moneyOf(inOrder));
    expect(await charts(project), `${name}, charts`).to.deep.equal(await charts(inOrder));
  };

  it('has enough notifications to compare', async () => {
    expect(messages.length).to.be.greaterThan(PURCHASES * 2);
    expect(JSON.stringify((await charts(projectOf('inOrder')))['revenue'])).to.match(/[1-9]/);
  });

  for (const [name, sent, order] of [
    ['doubled', 'each message comes twice, and again under another id', 'same'],
    ['receipts', 'devices show their receipts before or after each message', 'same'],
    ['hours', 'messages are late, but nothing has happened since', 'any'],
  ] as const)
    it(`is the same when ${sent}`, async () => {
      await expectTheSameEnd(name);
      await expectTheSameEvents(name, order);
    });

  for (const [name, sent] of [
    ['days', 'messages are late by days and overtake each other, and receipts come between'],
    ['backlog', 'all messages lie in a backlog and come at last in any order, mixed with receipts'],
  ] as const)
    it(`ends the same when ${sent}`, () => expectTheSameEnd(name));
});
