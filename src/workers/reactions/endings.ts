// What must follow when an app or a project ends, also if the process that ended it did not live to see to it.
import { clearAfterApp } from '../../commands/projects/apps.js';
import { forgetCredentialsOfProject } from '../../commands/projects/credentials.js';
import type { Deps } from '../../commands/handling/deps.js';
import { deleteWebhooksOfProject } from '../../commands/webhooks/webhooks.js';
import type { RecordedEvent } from '../../domain/envelope.js';
import type { ProjectEvent } from '../../domain/project/events.js';
import { ofFamily } from '../../projections/runtime/events-of.js';
import type { Reaction } from './reaction.js';

export function endingsReaction(deps: Deps): Reaction {
  const ending = (stored: RecordedEvent) => {
    const event = ofFamily<ProjectEvent>(stored, 'project');
    return event?.type === 'AppDeleted' || event?.type === 'ProjectDeleted' ? event : null;
  };
  return {
    name: 'endings',
    families: ['project'],
    laneOf: (stored) => (ending(stored) ? stored.stream : null),
    handle: async (stored) => {
      const event = ending(stored);
      if (!event) return;
      const { actor, correlationId } = event.meta;
      const ctx = { actor, correlationId, causationId: event.id };
      if (event.type === 'ProjectDeleted') {
        await forgetCredentialsOfProject(deps, event.data.projectId);
        await deleteWebhooksOfProject(deps, event.data.projectId, ctx);
      } else if (event.type === 'AppDeleted') {
        await clearAfterApp(deps, event.meta.projectId ?? '', event.data.appId, ctx);
      }
    },
  };
}
