// The ios-store behind the seam of all stores.
import type { IosStorePort } from '../../../adapters/ios-store/api-port.js';
import type { StoreDeps, StoreIntegration } from '../store-integration.js';
import { startCatchingUp } from './catch-up.js';
import { recordIosStatus } from './chains.js';
import { applyIosNotification, iosAsKept, lineOfIos, processIosNotification, readIosNotification } from './inbox.js';
import { submitIosReceipt } from './receipts.js';
import type { IosDeps } from './signed.js';
import { doIosTask } from './tasks.js';

export function integrateIosStore(iosStore: IosStorePort): StoreIntegration {
  const withStore = (deps: StoreDeps): IosDeps => ({ ...deps, iosStore });
  return {
    kind: 'ios-store',
    asksToWorkOff: false,
    admit: null,
    readNotification: (deps, app, body) => readIosNotification(withStore(deps), app, body),
    lineOf: lineOfIos,
    workOff: processIosNotification,
    translateAgain: async (deps, find, event, { name }) =>
      applyIosNotification(deps, find, event, await iosAsKept(withStore(deps), event), name),
    submitReceipt: async (deps, find, by, receipt) => {
      return { made: await submitIosReceipt(withStore(deps), find, by, receipt), missing: null };
    },
    askAgain: async (deps, find, { projectId, app, purchase }, ctx) => {
      const environment = purchase.environment === 'sandbox' ? ('Sandbox' as const) : ('Production' as const);
      const chain = { projectId, app, environment, originalTransactionId: purchase.storeChainId };
      await recordIosStatus(withStore(deps), find, chain, ctx);
    },
    startTasks: startCatchingUp,
    doTask: (deps, find, owner, work) => doIosTask(withStore(deps), find, owner, work),
  };
}
