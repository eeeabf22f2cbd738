// Names of those who caused an event: the user, a member, an API key, a store, or the service itself.
import type { Schemas } from '../api/client';
import { session } from '../session/session';
import { storeName } from './stores';

export type Actor = Schemas['TimelineEntry']['actor'];

const PARTS_OF_SERVICE: Readonly<Record<string, string>> = {
  'command line': 'the command line',
  rates: 'the exchange rates',
};

export function actorName(actor: Actor): string {
  return actor.via === undefined ? bareName(actor) : `${bareName(actor)} via ${actor.via}`;
}

function bareName({ kind, id, name }: Actor): string {
  switch (kind) {
    case 'user':
      return isMe(id) ? 'you' : (name ?? 'a former user');
    case 'api_key':
      return name === null ? 'an API key' : `API key “${name}”`;
    case 'store':
      return storeName(id);
    case 'import':
      return 'an import';
    case 'system':
      return PARTS_OF_SERVICE[id] ?? 'the service';
  }
}

function isMe(userId: string): boolean {
  return 'user' in session.value && session.value.user.id === userId;
}
