// Reacts to credentials: new ones close the circuit of an app's store, wake the tasks that waited for them and schedule polling; deleting
// an app wakes its tasks, which then end.
import type { StoreDeps } from '../../commands/stores/store-integration.js';
import { schedulePolling } from '../../commands/stores/schedule-polling.js';
import type { StoreCircuitBreakers } from '../../commands/stores/store-circuit-breaker.js';
import { wakeStoreTasks } from '../../commands/stores/tasks.js';
import type { RecordedEvent } from '../../domain/envelope.js';
import { touches } from '../../domain/events.js';
import { projectEvents, type ProjectEvent } from '../../domain/project/events.js';
import { ofFamily } from '../../projections/runtime/events-of.js';
import type { Reaction } from './reaction.js';

export function credentialsReaction(deps: StoreDeps, gates: StoreCircuitBreakers): Reaction {
  const change = (stored: RecordedEvent) => {
    const event = ofFamily<ProjectEvent>(stored, 'project');
    if (!event || !touches(projectEvents, event, 'credentials')) return null;
    switch (event.type) {
      case 'AppCredentialsRegistered':
      case 'AppDeleted':
        return event;
      case 'AppCredentialsDeleted':
        return null;
    }
  };
  return {
    name: 'credentials',
    families: ['project'],
    serialKeyOf: (stored) => change(stored)?.data.appId ?? null,
    handle: async (stored) => {
      const event = change(stored);
      if (!event) return;
      const { appId } = event.data;
      gates.reset(appId);
      await wakeStoreTasks(deps, appId);
      if (event.type !== 'AppCredentialsRegistered') return;
      const { store } = event.data;
      await schedulePolling(deps, { projectId: event.meta.projectId ?? '', appId, store });
    },
  };
}
