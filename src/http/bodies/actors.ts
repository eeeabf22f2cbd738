// Actors of events in responses, with the names of API keys and users.
import { z } from 'zod';
import type { EventLog } from '../../adapters/event-log/port.js';
import { actorKinds, type Actor } from '../../domain/envelope.js';
import { scopesMay } from '../../domain/project/roles.js';
import { users } from '../../projections/models/users.js';
import { readTargetName } from '../../projections/queries/audit.js';
import type { ReadModels } from '../../projections/queries/read-models.js';
import type { Caller } from '../dispatch/caller.js';

export const actor = z.strictObject({
  kind: z.enum(actorKinds),
  id: z.string(),
  via: z.string().optional().meta({ description: 'Tool through which the request came, such as `mcp: claude-code`.' }),
  name: z.string().nullable().meta({
    description:
      'Name of the API key, also of a deleted one; name of the user, else their email. Null for a store and the service itself, for an erased user, and for users if the caller may not list members.',
  }),
});

type NameSources = { readonly deps: { readonly log: EventLog }; readonly readModels: ReadModels };
export type ActorViewer = { readonly projectId: string; readonly caller: Caller };

/** Reads the names once for each actor. Returns a function that adds them. */
export async function nameActors(sources: NameSources, viewer: ActorViewer, actors: readonly Actor[]) {
  const distinct = new Map(actors.map((one) => [one.id, one]));
  const entries = [...distinct.values()].map(async (one) => [one.id, await nameOf(sources, viewer, one)] as const);
  const names = new Map(await Promise.all(entries));
  return (one: Actor): z.output<typeof actor> => ({ ...one, name: names.get(one.id) ?? null });
}

async function nameOf(sources: NameSources, { projectId, caller }: ActorViewer, { kind, id }: Actor) {
  const { deps, readModels } = sources;
  if (kind === 'api_key') return readTargetName(deps.log, readModels, projectId, { kind: 'apiKey', id });
  if (kind !== 'user' || !mayReadMembers(caller)) return null;
  return readUserName(readModels, id);
}

/** Returns the name of a user, else the email; null for an unknown or erased user. */
export async function readUserName(readModels: ReadModels, userId: string): Promise<string | null> {
  const user = await readModels.get(users, userId);
  return user?.name ?? user?.email ?? null;
}

function mayReadMembers(caller: Caller): boolean {
  return caller.kind === 'user' || (caller.kind === 'key' && scopesMay(caller.scopes, 'readMembers'));
}
