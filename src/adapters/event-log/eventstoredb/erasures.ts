// Erased streams with their last erased revision: the server itself forgets it only with the events, when it is scavenged.
import { v4 as uuidV4 } from 'uuid';
import type { Revision, StreamName } from '../../../domain/envelope.js';
import type { Connection } from './connection.js';
import { readStream } from './reader.js';

export type Erasures = {
  /** Called when another process may have erased a stream. */
  markStale(): void;
  /** Returns the last erased revision by stream. */
  read(): Promise<ReadonlyMap<string, Revision>>;
  add(erased: StreamName, revision: Revision): Promise<void>;
};

export function createErasures(connection: Connection, stream: string): Erasures {
  const erasedRevisions = new Map<string, Revision>();
  let next = 0n;
  let isStale = true;
  return {
    markStale: () => {
      isStale = true;
    },
    read: async () => {
      if (!isStale) return erasedRevisions;
      isStale = false;
      try {
        const events = await readStream(connection, stream, { fromRevision: next, maxCount: Number.MAX_SAFE_INTEGER });
        for (const { data, revision } of events) {
          const erased = data as { readonly stream: string; readonly revision: Revision };
          erasedRevisions.set(erased.stream, erased.revision);
          next = revision + 1n;
        }
      } catch (err) {
        isStale = true;
        throw err;
      }
      return erasedRevisions;
    },
    add: async (erased, revision) => {
      const data = { stream: erased, revision };
      const event = {
        id: uuidV4(),
        type: 'StreamErased',
        contentType: 'application/json',
        data,
        metadata: undefined,
      } as const;
      await connection.append(stream, [event], 'any');
      isStale = true;
    },
  };
}
