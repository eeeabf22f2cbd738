// Error of a configuration that prevents a start. Each problem names its variable and the fix.

export class WrongConfiguration extends Error {
  constructor(readonly problems: readonly string[]) {
    super(`wrong configuration:\n${problems.map((p) => `  ${p}`).join('\n')}`);
    this.name = 'WrongConfiguration';
  }
}

/** Exit code of a start with an invalid configuration (`EX_CONFIG` of sysexits.h). */
export const EXIT_WRONG_CONFIGURATION = 78;

/** Descriptions of system errors by code, which follow the path in a message. */
const FILE_FAULTS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EISDIR: 'is a directory',
  EEXIST: 'is a file',
  ENOTDIR: 'has a file where its path needs a directory',
  EACCES: 'is not accessible to the user of this process',
  EPERM: 'is not accessible to the user of this process',
  EROFS: 'is on a disk that is mounted read-only',
  ENOSPC: 'is on a disk without free space',
  EDQUOT: 'is on a disk without free space',
  ELOOP: 'is a symbolic link that leads to itself',
  ENAMETOOLONG: 'is too long for a path',
};

/** Returns the description of a file or directory error, which follows the path in a message: `does not exist`. */
export function fileFault(err: unknown): string {
  const code = systemCodeOf(err) ?? '';
  return FILE_FAULTS[code] ?? `cannot be opened (${code || String(err)})`;
}

/** Returns the code of a system error, such as `ENOENT`; undefined for any other error. */
export function systemCodeOf(err: unknown): string | undefined {
  return err instanceof Error && 'syscall' in err ? errorCodeOf(err) : undefined;
}

/** Returns the code of an error of Node, such as `ENOENT` or `Z_DATA_ERROR`; undefined for an error without one. */
export function errorCodeOf(err: unknown): string | undefined {
  return err instanceof Error && 'code' in err ? String(err.code) : undefined;
}
