// Live feed of a project, as server-sent events.
import { isLogPosition, type LogPosition } from '../../domain/envelope.js';
import { projects } from '../../projections/models/projects.js';
import { authorize } from '../dispatch/authorize.js';
import { defineRoute, type Route } from '../dispatch/route.js';
import { HttpError } from '../bodies/errors.js';
import { liveLine } from './lines.js';

/** Throws {@link HttpError} 400. */
function parseLastEventId(lastEventId: string | undefined): LogPosition | null {
  if (lastEventId === undefined || lastEventId === '') return null;
  if (isLogPosition(lastEventId)) return lastEventId;
  throw new HttpError(400, 'Last-Event-ID must be the id of a message of this feed');
}

export const liveRoutes: readonly Route[] = [
  defineRoute({
    method: 'get',
    path: '/v1/projects/:id/live',
    permission: 'readCustomers',
    summary: 'Watch the live feed, as server-sent events',
    description:
      'Messages of three types: `notification` (a store notification arrived or was processed), `event` (an event of a customer), `delivery` (a webhook attempt). `id` is a log position: with `Last-Event-ID` the feed resumes after it, as far back as the log reaches. Deliveries are not in the log and have no `id`. A reader that takes longer than 10 seconds for 256 messages is disconnected; `retry` states when to reconnect. At most 50 readers per project.',
    response: liveLine,
    responseType: 'text/event-stream',
    handle: async ({ scope: { projectId }, visibility, header }, services) => {
      const credentials = {
        authorization: header('authorization'),
        apiKey: header('x-api-key'),
        isRegisteredKey: false,
        pathProjectId: projectId,
        headerProjectId: undefined,
      };
      const visibilityNow = async () => {
        try {
          const authorized = await authorize(services, { access: 'project', permission: 'readCustomers' }, credentials);
          return (await services.readModels.get(projects, projectId)) === undefined ? null : authorized.visibility;
        } catch (err) {
          if (err instanceof HttpError) return null;
          throw err;
        }
      };
      // The whole credential, as in other caches of secrets: two credentials must never be mistaken for one.
      const credential = `${credentials.authorization ?? ''} ${credentials.apiKey ?? ''}`;
      const after = parseLastEventId(header('last-event-id'));
      return { body: await services.live.open({ projectId, after, visibility, credential, visibilityNow }) };
    },
  }),
];
