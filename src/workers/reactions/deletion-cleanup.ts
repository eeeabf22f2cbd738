// Cleanup after an app or a project was deleted, also when the deleting process crashed before its own cleanup.
import { deleteImportsOf } from '../../commands/imports/import-records.js';
import { deleteVerificationOf } from '../../commands/imports/verification-records.js';
import { clearAfterApp } from '../../commands/projects/apps.js';
import { deleteChartReplaysOf } from '../../commands/projects/chart-replays.js';
import { deleteCredentialsOfProject } from '../../commands/projects/credentials.js';
import type { Deps } from '../../commands/handling/deps.js';
import { deleteSdkCalls } from '../../commands/projects/sdk-calls.js';
import { deleteWebhooksOfProject } from '../../commands/webhooks/webhooks.js';
import type { RecordedEvent } from '../../domain/envelope.js';
import { remaining, touches } from '../../domain/events.js';
import { projectEvents, type ProjectEvent } from '../../domain/project/events.js';
import { ofFamily } from '../../projections/runtime/events-of.js';
import type { Reaction } from './reaction.js';

export function deletionCleanupReaction(deps: Deps): Reaction {
  const deletionOf = (stored: RecordedEvent) => {
    const event = ofFamily<ProjectEvent>(stored, 'project');
    return event && touches(projectEvents, event, 'cleanup') ? event : null;
  };
  return {
    name: 'deletion_cleanup',
    families: ['project'],
    serialKeyOf: (stored) => (deletionOf(stored) ? stored.stream : null),
    handle: async (stored) => {
      const event = deletionOf(stored);
      if (!event) return;
      const { actor, correlationId } = event.meta;
      const ctx = { actor, correlationId, causationId: event.id };
      if (event.type === 'ProjectDeleted') {
        await deleteCredentialsOfProject(deps, event.data.projectId);
        await deleteWebhooksOfProject(deps, event.data.projectId, ctx);
        await deleteChartReplaysOf(deps, event.data.projectId);
        await deleteSdkCalls(deps, event.data.projectId);
        await deleteImportsOf(deps, event.data.projectId);
        await deleteVerificationOf(deps, event.data.projectId);
      } else {
        remaining<'AppDeleted'>(event);
        await clearAfterApp(deps, event.meta.projectId ?? '', event.data.appId, ctx);
      }
    },
  };
}
