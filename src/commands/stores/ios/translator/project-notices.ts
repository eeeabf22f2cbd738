// The ios-store's notifications about an app as a whole, as events of its project. Pure.
import type { IosNotification } from '../../../../adapters/ios-store/port.js';
import type { ProjectNotice } from '../../../../domain/project/decide.js';
import { projectEvents } from '../../../../domain/project/events.js';
import { isoFromMs } from '../../../../domain/time.js';

/** Returns null if the notification is about a customer, or unknown. */
export function noticeOf(n: IosNotification, appId: string): ProjectNotice | null {
  const at = { at: isoFromMs(n.signedDate) };
  if (n.notificationType === 'RENEWAL_EXTENSION' && n.summary) {
    const { requestIdentifier = n.notificationUUID, productId = null, storefrontCountryCodes = [] } = n.summary;
    const { succeededCount = 0, failedCount = 0 } = n.summary;
    const counts = { succeededCount, failedCount };
    const about = { appId, environment: environmentOf(n.summary.environment), requestIdentifier };
    return projectEvents.RenewalExtensionCompleted.of(
      { ...about, storeProductId: productId, storefrontCountryCodes, ...counts },
      at,
    );
  }
  if (n.notificationType === 'EXTERNAL_PURCHASE_TOKEN' && n.externalPurchaseToken) {
    const { externalPurchaseId, tokenCreationDate, tokenExpirationDate, tokenType = null } = n.externalPurchaseToken;
    const environment = externalPurchaseId.startsWith('SANDBOX') ? ('sandbox' as const) : ('production' as const);
    const dates = { createdAt: instant(tokenCreationDate), expiresAt: instant(tokenExpirationDate) };
    const about = { appId, environment, externalPurchaseId };
    return projectEvents.ExternalPurchaseTokenReceived.of(
      { ...about, reason: n.subtype ?? null, tokenType, ...dates },
      at,
    );
  }
  if (n.notificationType === 'RESCIND_CONSENT' && n.appData) {
    const { environment, appTransaction } = n.appData;
    const appTransactionId = appTransaction?.appTransactionId ?? null;
    return projectEvents.AppConsentRescinded.of(
      { appId, environment: environmentOf(environment), appTransactionId },
      at,
    );
  }
  return null;
}

function environmentOf(environment: 'Production' | 'Sandbox'): 'production' | 'sandbox' {
  return environment === 'Sandbox' ? 'sandbox' : 'production';
}

function instant(ms: number | undefined): string | null {
  return ms === undefined ? null : isoFromMs(ms);
}
