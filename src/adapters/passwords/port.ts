// Slow password hashes as the rest of the code sees them.

export type Passwords = {
  /** Throws `Unavailable` when too many are waiting already. */
  hash(password: string): Promise<string>;
  /** Throws `Unavailable` when too many are waiting already. */
  verify(password: string, hash: string): Promise<boolean>;
  /** As slow as {@link Passwords.verify} and never true: for unknown users, so that the time does not show who is registered. */
  verifyAgainstNothing(password: string): Promise<false>;
  /** True for a hash made under a lower cost than today's: to be made anew at the next log-in. */
  isOutdated(hash: string): boolean;
  /** Finishes what was asked for; throws `Unavailable` for what comes after. */
  close(): Promise<void>;
};
