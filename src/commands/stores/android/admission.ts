// Who pushes notifications of the android-store: whoever the store's identity service vouches for.
import { InvalidPushToken, NotificationRefused } from '../../../domain/errors.js';
import type { PushTokens } from '../../../adapters/android-store/port.js';
import type { Sender } from '../store-integration.js';

/** Checked whenever a token is sent; one must be sent where the app's credentials name the account that pushes. */
export async function checkPusher(pushTokens: PushTokens, { authorization, terms, address }: Sender): Promise<void> {
  const email = textOf(terms['pushServiceAccountEmail']);
  const audience = textOf(terms['pushAudience']);
  if (authorization === undefined) {
    if (email === null) return;
    throw unproven('a push identity token is required: let the push subscription send one');
  }
  const [scheme, identity] = authorization.split(' ');
  if (scheme?.toLowerCase() !== 'bearer' || !identity) throw unproven('send Authorization: Bearer');
  try {
    await pushTokens.verify(identity, { audiences: [audience ?? address], email });
  } catch (err) {
    if (err instanceof InvalidPushToken) throw unproven('the push identity token was refused');
    throw err;
  }
}

function textOf(term: unknown): string | null {
  return typeof term === 'string' ? term : null;
}

function unproven(message: string): NotificationRefused {
  return new NotificationRefused('unproven', message);
}
