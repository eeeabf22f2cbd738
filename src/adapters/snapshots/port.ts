// Port of a store for large rebuildable values: bytes under a name, either complete and intact or missing. Losing a snapshot loses no data.

export interface SnapshotStore {
  /** Opens the snapshot; null when it does not exist. */
  open(name: string): Promise<SnapshotReader | null>;
  /**
   * Writes or replaces the snapshot, which becomes visible with its last byte. Returns false when another process wrote it at the same
   * time; that process's snapshot may then be in place.
   */
  write(name: string, parts: Iterable<Uint8Array>): Promise<boolean>;
  /** Removes the snapshot, if it exists. */
  remove(name: string): Promise<void>;
  names(): Promise<readonly string[]>;
}

export type SnapshotReader = {
  /** Returns the next bytes, in a buffer of their own. Throws {@link DamagedSnapshot} when they are not as written. */
  read(bytes: number): Promise<Uint8Array<ArrayBuffer>>;
  /** Throws {@link DamagedSnapshot} unless everything has been read. */
  end(): Promise<void>;
  close(): Promise<void>;
};

/** Error of a snapshot that is truncated, corrupt or not a snapshot. */
export class DamagedSnapshot extends Error {}

/** Returns whether a name is valid for a snapshot. */
export function isSnapshotName(name: string): boolean {
  return /^[A-Za-z0-9_-]{1,100}(\.[A-Za-z0-9_-]{1,100}){0,3}$/.test(name);
}
