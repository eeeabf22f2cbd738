// Where large values are kept that can be made anew: bytes under a name, whole and right or not there at all. Nothing is lost when one is.

export interface SnapshotStore {
  /** Null when there is none of that name. */
  open(name: string): Promise<SnapshotReader | null>;
  /** In place of the one of that name, once the last byte is there. False when somebody else was writing it; that one's may be there then. */
  write(name: string, parts: Iterable<Uint8Array>): Promise<boolean>;
  /** Nothing happens when there is none. */
  remove(name: string): Promise<void>;
  names(): Promise<readonly string[]>;
}

export type SnapshotReader = {
  /** The next bytes, in memory of their own. Throws {@link DamagedSnapshot} when they are not as they were written. */
  read(bytes: number): Promise<Uint8Array<ArrayBuffer>>;
  /** Throws {@link DamagedSnapshot} unless everything has been read. */
  end(): Promise<void>;
  close(): Promise<void>;
};

/** Cut off, changed, or no snapshot. */
export class DamagedSnapshot extends Error {}

/** What a snapshot may be called. */
export function isSnapshotName(name: string): boolean {
  return /^[A-Za-z0-9_-]{1,100}(\.[A-Za-z0-9_-]{1,100}){0,3}$/.test(name);
}
