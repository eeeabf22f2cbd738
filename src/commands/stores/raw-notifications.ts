// Kept notifications, read again from the raw body: what was decoded when they came holds only what the code knew then.
import { pushBody, readPushBody, type AndroidNotification } from '../../adapters/android-store/envelope.js';
import { checkBelongsToApp, type IosNotification } from '../../adapters/ios-store/port.js';
import { InvalidSignedData } from '../../domain/errors.js';
import { streams } from '../../domain/streams.js';
import type { Deps } from '../handling/deps.js';
import type { Received } from './inbox.js';

/**
 * Verified again, inner payloads too: one that was not looked at then may be read now. What does not verify any more (a root was taken
 * away, a responder says no) stays what was verified when it came.
 */
export async function iosAsKept(deps: Deps, event: Received): Promise<IosNotification> {
  const kept = event.data.decoded as IosNotification;
  const { signedPayload } = fieldsOf(event.data.rawBody);
  const project = await deps.projects.get(streams.project(event.meta.projectId ?? ''));
  const app = project?.apps.find((a) => a.appId === event.data.appId);
  if (typeof signedPayload !== 'string' || !app) return kept;
  try {
    const decoded = await deps.iosStore.signedData.verifyNotification(signedPayload);
    const identity = { bundleId: app.storeIdentifier, storeAppId: app.storeAppId ?? undefined };
    return checkBelongsToApp(decoded, identity) === null ? decoded : kept;
  } catch (err) {
    if (err instanceof InvalidSignedData) return kept;
    throw err;
  }
}

export function androidAsKept(event: Received): AndroidNotification {
  const body = pushBody.safeParse(fieldsOf(event.data.rawBody));
  const message = body.success ? readPushBody(body.data) : null;
  return message?.notification ?? (event.data.decoded as AndroidNotification);
}

function fieldsOf(rawBody: string): Readonly<Record<string, unknown>> {
  try {
    const body: unknown = JSON.parse(rawBody);
    return typeof body === 'object' && body !== null ? { ...body } : {};
  } catch {
    // Tests of an app's own tools may keep what no store sends; what was decoded stands.
    return {};
  }
}
