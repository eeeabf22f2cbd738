// The example project with an ios-store that can be asked: a simulated server for each environment, whose signatures are verified.
import { pino } from 'pino';
import { createIosReports } from '../../../../src/adapters/ios-store/finance-reports.js';
import { createIosStoreApi } from '../../../../src/adapters/ios-store/store.js';
import type { IosStorePort } from '../../../../src/adapters/ios-store/port.js';
import { createIosSignedData } from '../../../../src/adapters/ios-store/signed-data.js';
import { systemRuntime } from '../../../../src/adapters/runtime.js';
import { createOutbound } from '../../../../src/adapters/outbound/undici.js';
import { registerCredentials } from '../../../../src/commands/projects/credentials.js';
import { credentialVerdictCollection } from '../../../../src/commands/projects/credential-checks.js';
import { iosCredentials } from '../../../../src/commands/stores/ios/credentials.js';
import { submitIosReceipt } from '../../../../src/commands/stores/ios/receipts.js';
import { integrateIosStore } from '../../../../src/commands/stores/ios/store.js';
import { createStoreCircuitBreakers } from '../../../../src/commands/stores/store-circuit-breaker.js';
import { storesOf, type Receipt } from '../../../../src/commands/stores/store-integration.js';
import { dueStoreTasks } from '../../../../src/commands/stores/tasks.js';
import { Rejection } from '../../../../src/domain/errors.js';
import type { TransferBehavior } from '../../../../src/domain/project/events.js';
import { msFromIso } from '../../../../src/domain/time.js';
import { runDueStoreTasks } from '../../../../src/workers/stores/store-tasks.js';
import { startIosStore, type SimulatedIosStore } from '../../../../simulator/ios-store/api-server.js';
import { createCertificateAuthority } from '../../../../simulator/ios-store/certificate-authority.js';
import { createReceiptSigner } from '../../../adapters/ios-store/app-receipts.js';
import { storePayloads, type TransactionFields } from '../../../../simulator/ios-store/payloads.js';
import { iosKey } from '../../../http/support/store-credentials.js';
import { BEGIN, eventsOf } from '../../support/memory-deps.js';
import { BUNDLE_ID, MONTHLY } from '../../support/store-data.js';
import { createProjectFixture } from '../../support/project-fixture.js';

const authority = await createCertificateAuthority();
const stranger = await createCertificateAuthority();
const DAY_MS = 86_400_000;

export const at = (day: number) => msFromIso(BEGIN) + day * DAY_MS;

/** A transaction of the example app; `day`: of its purchase, after the beginning. */
export type Bought = Partial<TransactionFields> & { readonly transactionId: string; readonly day: number };

export function bought({ day, ...fields }: Bought) {
  const shared = { bundleId: BUNDLE_ID, environment: 'Production' as const, productId: MONTHLY, price: 9990 };
  // Only a subscription ends.
  const end = fields.type === undefined ? { expiresDate: at(day + 30) } : {};
  return { ...shared, purchaseDate: at(day), signedDate: at(day), ...end, ...fields };
}

/** Signs app receipts with certificates of the simulated store. */
export const signAppReceipt = await createReceiptSigner(authority);
export const signed = (o: Bought) => storePayloads(authority.sign).signedTransaction(bought(o));
export const signedByStranger = (o: Bought) => storePayloads(stranger.sign).signedTransaction(bought(o));

/** The message of a rejection, the class of any other error; `accepted` without one. */
export async function refusal(submitting: Promise<unknown>): Promise<string> {
  try {
    await submitting;
    return 'accepted';
  } catch (err) {
    if (err instanceof Rejection) return err.message;
    return (err as Error).constructor.name;
  }
}

type Options = {
  /** Environments of the app's key; null: it has none. */
  readonly key?: 'production' | 'sandbox' | 'both' | null;
  readonly transferBehavior?: TransferBehavior;
};

export type StoreFixture = Awaited<ReturnType<typeof createStoreFixture>>;

export async function createStoreFixture({ key = 'both', transferBehavior = 'transfer' }: Options = {}) {
  const project = await createProjectFixture({ transferBehavior });
  const [production, sandbox] = await Promise.all([
    startIosStore({ KEY1: iosKey() }),
    startIosStore({ KEY1: iosKey() }),
  ]);
  const urlOf = ({ settings }: SimulatedIosStore) => settings['IOS_STORE_API_URL'] ?? '';
  const urls = { production: urlOf(production), sandbox: urlOf(sandbox) };
  const egress = { allowHttp: false, allowCidrs: [] };
  const outbound = createOutbound({ egress, trusted: [urls.production, urls.sandbox] });
  const { runtime } = project.deps;
  const iosStore: IosStorePort = {
    api: createIosStoreApi({ outbound, urls, runtime, verdicts: { record: async () => undefined } }),
    reports: createIosReports({ outbound, baseUrl: urls.production, runtime }),
    signedData: createIosSignedData({
      ...{ roots: [Buffer.from(authority.rootPem)], onlineChecks: false },
      // The time limit of a verification is real: the fixture's sleep passes at once.
      runtime: { ...runtime, sleep: systemRuntime().sleep },
    }),
  };
  const deps = { ...project.deps, iosStore, stores: storesOf([integrateIosStore(iosStore)]) };
  const { projectId, app, by } = project;
  await deps.docs.ensure([credentialVerdictCollection]);
  const register = (environment: NonNullable<typeof key>) => {
    const credentials = iosCredentials.check({ issuerId: 'issuer', keyId: 'KEY1', privateKey: iosKey(), environment });
    return registerCredentials(deps, by(), projectId, app.appId, { store: 'ios-store', ...credentials });
  };
  if (key !== null) await register(key);

  return {
    ...project,
    deps,
    production,
    sandbox,
    register,
    present: (appUserId: string, receipt: string, o: Partial<Receipt> = {}) => {
      const shared = { projectId, app, appUserId, storeProductId: undefined, offeringId: null, claimed: null };
      return submitIosReceipt(deps, by(), { ...shared, isRestore: false, ...o, receipt });
    },
    restore: (appUserId: string, receipt: string) => {
      const shared = { projectId, app, appUserId, storeProductId: undefined, offeringId: null, claimed: null };
      return submitIosReceipt(deps, by(), { ...shared, isRestore: true, receipt });
    },
    /** Kinds of the tasks that are due. */
    dueTasks: async () => {
      const kinds: string[] = [];
      for await (const page of dueStoreTasks(deps)) kinds.push(...page.map(({ work }) => work.kind));
      return kinds;
    },
    doTasks: () => {
      const circuitBreakers = createStoreCircuitBreakers(runtime);
      return runDueStoreTasks(
        { deps, circuitBreakers, logger: pino({ level: 'silent' }) },
        new AbortController().signal,
      );
    },
    countEvents: async () => (await eventsOf(deps.log)).length,
    close: () => Promise.all([outbound.close(), production.close(), sandbox.close()]),
  };
}

/** The store holds the transactions, and shows the whole history of their buyer for each of them. */
export function show({ chains }: SimulatedIosStore, history: readonly Bought[], sign = signed): void {
  const transactions = history.map(sign);
  for (const { transactionId } of history) chains.set(transactionId, { transactions, renewal: undefined, status: 1 });
}
