// Named copies of read models, each a file of its own that a replay put there whole. Read only.
import { statSync } from 'node:fs';
import { replayFile } from '../data-directory.js';
import { openEmbeddedDocumentsForReading, type EmbeddedDocuments } from './embedded/store.js';
import type { CollectionSpec, Doc, DocStore } from './port.js';

export const replayCollection = { name: 'replay', indexes: [] };
export const replayInfoId = 'info';

/** What the copy was made from. `until`, `projectId`: null for everything. */
export type ReplayInfo = Doc & {
  readonly name: string;
  readonly readModels: readonly string[];
  /** Of the builds that it holds: another version of the code may know them under other names. */
  readonly collections: readonly string[];
  readonly until: string | null;
  /** The first instant that it does not cover. */
  readonly endsAt: string;
  readonly position: string;
  readonly projectId: string | null;
  readonly whatIf: Doc;
  readonly madeAt: string;
};

export type Replays = {
  /** Undefined when there is no such copy. Throws `Unavailable` for a file that is none. `specs` are the collections that are to be read of it. */
  open(
    name: string,
    specs: readonly CollectionSpec[],
  ): Promise<{ readonly docs: DocStore; readonly info: ReplayInfo } | undefined>;
  close(): Promise<void>;
};

type Opened = { readonly docs: EmbeddedDocuments; readonly file: number };
const NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/;

/** A copy is opened when it is asked for first, and again when another replay has taken its name. */
export function createReplays(dataDir: string): Replays {
  const opened = new Map<string, Opened>();
  /** Still open for who was reading it when it was replaced. */
  let replaced: EmbeddedDocuments | undefined;
  const current = async (name: string): Promise<EmbeddedDocuments | undefined> => {
    const file = NAME.test(name) ? statSync(replayFile(dataDir, name), { throwIfNoEntry: false })?.ino : undefined;
    const open = opened.get(name);
    if (open?.file === file) return open?.docs;
    const before = replaced;
    replaced = open?.docs;
    opened.delete(name);
    const docs = file === undefined ? undefined : openEmbeddedDocumentsForReading({ file: replayFile(dataDir, name) });
    if (docs && file !== undefined) opened.set(name, { docs, file });
    await before?.close();
    return docs;
  };
  return {
    open: async (name, specs) => {
      const docs = await current(name);
      if (!docs) return undefined;
      await docs.ensure([replayCollection, ...specs]);
      const info = (await docs.get(replayCollection.name, [replayInfoId])).get(replayInfoId)?.doc as
        ReplayInfo | undefined;
      return info && { docs, info };
    },
    close: async () => {
      for (const { docs } of opened.values()) await docs.close();
      opened.clear();
      await replaced?.close();
      replaced = undefined;
    },
  };
}
