// Files of copies that are open for reading: each is opened when it is asked for first, and again when another has taken its place.
import { openEmbeddedDocumentsForReading, type EmbeddedDocuments } from '../documents/embedded/store.js';
import { replayCollection, replayInfoId, type ReplayInfo } from './info.js';

/** `version` is another one when the file was replaced. */
type Place = { readonly file: string; readonly version: string | number };

export type OpenedCopies = {
  /** Undefined when nothing is there, and for a file in which no copy says what it is. Throws `Unavailable` for what is no such file. */
  at(
    id: string,
    place: Place | undefined,
  ): Promise<{ readonly docs: EmbeddedDocuments; readonly info: ReplayInfo } | undefined>;
  close(): Promise<void>;
};

export function openedCopies(): OpenedCopies {
  const opened = new Map<string, { readonly docs: EmbeddedDocuments; readonly version: string | number }>();
  /** Still open for who was reading it when it was replaced. */
  let replaced: EmbeddedDocuments | undefined;
  const current = async (id: string, place: Place | undefined): Promise<EmbeddedDocuments | undefined> => {
    const open = opened.get(id);
    if (open?.version === place?.version) return open?.docs;
    const before = replaced;
    replaced = open?.docs;
    opened.delete(id);
    const docs = place && openEmbeddedDocumentsForReading({ file: place.file });
    if (docs && place) opened.set(id, { docs, version: place.version });
    await before?.close();
    return docs;
  };
  return {
    at: async (id, place) => {
      const docs = await current(id, place);
      if (!docs) return undefined;
      await docs.ensure([replayCollection]);
      const stored = (await docs.get(replayCollection.name, [replayInfoId])).get(replayInfoId)?.doc;
      return stored ? { docs, info: stored as ReplayInfo } : undefined;
    },
    close: async () => {
      for (const { docs } of opened.values()) await docs.close();
      opened.clear();
      await replaced?.close();
      replaced = undefined;
    },
  };
}
