// How secrets of an app are kept in records: sealed with the project's data key, for one field of one app. Moved elsewhere they do
// not open.
import { openText, sealText } from '../adapters/vault.js';
import type { Deps } from './deps.js';

export type AppRef = { readonly projectId: string; readonly appId: string };

type Needs = Pick<Deps, 'runtime' | 'dataKeys'>;

export async function sealForApp(deps: Needs, app: AppRef, field: string, plain: string): Promise<string> {
  return sealText(await keyOf(deps, app), purpose(app, field), Buffer.from(plain), deps.runtime);
}

export async function openForApp(deps: Needs, app: AppRef, field: string, sealed: string): Promise<string> {
  return openText([await keyOf(deps, app)], purpose(app, field), sealed).toString();
}

async function keyOf({ dataKeys }: Needs, { projectId }: AppRef) {
  return { id: 'p', key: await dataKeys.forSealing(projectId) };
}

function purpose({ projectId, appId }: AppRef, field: string): string {
  return `${projectId}|${appId}|${field}`;
}
