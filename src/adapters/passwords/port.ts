// Port of slow password hashing.

export type Passwords = {
  /** Hashes a password. Throws `Unavailable` when too many jobs are queued. */
  hash(password: string): Promise<string>;
  /** Verifies a password. Throws `Unavailable` when too many jobs are queued. */
  verify(password: string, hash: string): Promise<boolean>;
  /**
   * Takes as long as {@link Passwords.verify} and is never true: for unknown users, so that the response time does not reveal who is
   * registered.
   */
  verifyDummy(password: string): Promise<false>;
  /** Returns true for a hash with a lower cost than the current one, which is replaced at the next login. */
  isOutdated(hash: string): boolean;
  /** Finishes pending jobs; later ones throw `Unavailable`. */
  close(): Promise<void>;
};
