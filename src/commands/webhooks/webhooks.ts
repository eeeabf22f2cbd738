// Commands on webhooks: create, change and delete them, rotate secrets. Secrets are written before the event, so every webhook has one.
import { commandIds } from '../handling/command-ids.js';
import { lockKeys } from '../handling/keyed-mutex.js';
import { Rejection } from '../../domain/errors.js';
import type { LogPosition } from '../../domain/envelope.js';
import { streams } from '../../domain/streams.js';
import { requireWebhook, webhookDecider } from '../../domain/webhook/webhook.js';
import type { Webhook, WebhookChanges, WebhookCommand, WebhookSettings } from '../../domain/webhook/webhook.js';
import { contextOf, type Deps, type Requester } from '../handling/deps.js';
import { load, runCommand, type CommandContext } from '../handling/run-command.js';
import {
  compareAuthorizationHeader,
  deleteSecrets,
  issueSecret,
  rotateSecret,
  setAuthorizationHeader,
  webhookIdsOf,
  type WebhookRef,
} from './secrets.js';

const MAX_WEBHOOKS = 20;

export type NewWebhook = WebhookSettings & {
  readonly enabled: boolean;
  /** Value of the `Authorization` header of each request, unchanged. */
  readonly authorizationHeader: string | null;
};

export type WebhookUpdate = {
  readonly set: WebhookChanges;
  readonly enabled?: boolean | undefined;
  readonly authorizationHeader?: string | null | undefined;
  /** Hours for which the previous secret stays valid; undefined: no rotation. */
  readonly rotateGraceHours?: number | undefined;
};

type WriteResult<T = object> = Promise<T & { readonly position: LogPosition | null }>;

/** `secret`: returned only here and by a rotation. */
export function createWebhook(
  deps: Deps,
  by: Requester,
  projectId: string,
  { authorizationHeader, ...settings }: NewWebhook,
): WriteResult<{ webhookId: string; secret: string }> {
  return deps.mutex.run(lockKeys.webhooks(projectId), async () => {
    await requireApp(deps, projectId, settings.appId);
    if ((await countWebhooks(deps, projectId)) >= MAX_WEBHOOKS) {
      const message = `a project can have at most ${MAX_WEBHOOKS} webhooks; delete one first`;
      throw new Rejection('conflict', 'too-many-webhooks', message);
    }
    const webhookId = deps.runtime.newId('wh');
    const ref = { projectId, webhookId };
    const { secret } = await issueSecret(deps, ref, authorizationHeader);
    const webhook = { webhookId, ...settings };
    const { position } = await run(deps, ref, [{ kind: 'create', webhook }], contextOf(by, projectId));
    return { webhookId, secret, position };
  });
}

/**
 * Makes all changes or none, the events as one append. A URL of another origin drops the authorization header unless a new one is given.
 * Throws {@link Rejection} when the webhook is not found.
 */
export async function updateWebhook(
  deps: Deps,
  by: Requester,
  ref: WebhookRef,
  { set, enabled, authorizationHeader, rotateGraceHours }: WebhookUpdate,
): WriteResult<{ secret: string | null }> {
  const stream = streams.webhook(ref.projectId, ref.webhookId);
  const { url } = requireWebhook((await load(deps.log, stream, webhookDecider)).state);
  if (set.appId !== undefined) await requireApp(deps, ref.projectId, set.appId);
  // Nobody can read the header: whoever may change the URL must not get it sent to a server of their own.
  const leavesOrigin = set.url !== undefined && new URL(set.url).origin !== new URL(url).origin;
  const nextHeader = authorizationHeader === undefined && leavesOrigin ? null : authorizationHeader;
  const header = nextHeader === undefined ? null : await compareAuthorizationHeader(deps, ref, nextHeader);
  if (header && leavesOrigin) await setAuthorizationHeader(deps, ref, null);
  const secret = rotateGraceHours === undefined ? null : await rotateSecret(deps, ref, rotateGraceHours);
  const commands: WebhookCommand[] = [{ kind: 'update', set }];
  if (header) commands.push({ kind: 'changeAuthorization', ...header });
  if (rotateGraceHours !== undefined) commands.push({ kind: 'rotateSecret', graceHours: rotateGraceHours });
  if (enabled === true) commands.push({ kind: 'enable' });
  if (enabled === false) commands.push({ kind: 'disable', cause: 'user' });
  const { position } = await run(deps, ref, commands, contextOf(by, ref.projectId));
  // Written after the event: no change may be missing in the audit. If interrupted in between, the same request changes it again.
  if (header && nextHeader !== undefined) await setAuthorizationHeader(deps, ref, nextHeader);
  return { secret, position };
}

/** Deletes the secrets last: until the event is recorded, the webhook works as before. */
export async function deleteWebhook(deps: Deps, by: Requester, ref: WebhookRef): WriteResult {
  const { position } = await run(deps, ref, [{ kind: 'delete' }], contextOf(by, ref.projectId));
  await deleteSecrets(deps, ref);
  return { position };
}

/** Records decisions of the service about a webhook: a warning, or disabling after a 410 or days of failures. */
export async function recordWebhookDecision(
  deps: Deps,
  ref: WebhookRef,
  command: Extract<WebhookCommand, { kind: 'warn' | 'disable' }>,
  commandId: string,
): Promise<void> {
  const actor = { kind: 'system' as const, id: 'sender' };
  await run(deps, ref, [command], { commandId, correlationId: commandId, actor, projectId: ref.projectId });
}

/** Deletes the webhooks of a deleted project. Safe to repeat. */
export async function deleteWebhooksOfProject(
  deps: Deps,
  projectId: string,
  ctx: Omit<CommandContext, 'commandId' | 'projectId'>,
): Promise<void> {
  for (const webhookId of await webhookIdsOf(deps, projectId)) {
    const ref = { projectId, webhookId };
    const { state } = await load(deps.log, streams.webhook(projectId, webhookId), webhookDecider);
    const commandId = commandIds.webhookOfEndedProject(webhookId);
    if (typeof state !== 'string') await run(deps, ref, [{ kind: 'delete' }], { ...ctx, commandId, projectId });
    await deleteSecrets(deps, ref);
  }
}

/** Returns the webhook according to the log. Throws {@link Rejection} when there is none. */
export async function findWebhookInLog({ log }: Pick<Deps, 'log'>, ref: WebhookRef): Promise<Webhook> {
  return requireWebhook((await load(log, streams.webhook(ref.projectId, ref.webhookId), webhookDecider)).state);
}

/** Also deletes secrets whose webhook was never created because of a crash in between. */
async function countWebhooks(deps: Deps, projectId: string): Promise<number> {
  const ids = await webhookIdsOf(deps, projectId);
  if (ids.length < MAX_WEBHOOKS) return ids.length;
  let count = 0;
  for (const webhookId of ids) {
    const { state } = await load(deps.log, streams.webhook(projectId, webhookId), webhookDecider);
    if (state === 'none') await deleteSecrets(deps, { projectId, webhookId });
    else count++;
  }
  return count;
}

async function requireApp(deps: Deps, projectId: string, appId: string | null): Promise<void> {
  if (appId === null) return;
  const project = await deps.projects.get(streams.project(projectId));
  if (project?.apps.some((a) => a.appId === appId)) return;
  throw new Rejection('invalid', 'app-unknown', 'appId is not an app of this project');
}

function run(deps: Deps, ref: WebhookRef, commands: readonly WebhookCommand[], ctx: CommandContext) {
  const stream = streams.webhook(ref.projectId, ref.webhookId);
  return deps.mutex.run(stream, () => runCommand(deps, stream, webhookDecider, commands, ctx));
}
