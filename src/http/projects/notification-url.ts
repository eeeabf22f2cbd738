// URL that receives an app's store notifications; its last segment is a secret.
import { revealStoreToken } from '../../commands/projects/store-tokens.js';
import type { App } from '../../domain/project/events.js';
import type { Services } from '../dispatch/services.js';

export async function notificationUrlOf(
  { deps, publicUrl }: Services,
  projectId: string,
  { appId, store }: Pick<App, 'appId' | 'store'>,
): Promise<string | null> {
  const token = await revealStoreToken(deps, projectId, appId);
  return token === null ? null : `${publicUrl()}/v1/store/${store}/${token}`;
}
