// What an operator must change before a process can run. Each problem names its variable and says what to do.

export class WrongConfiguration extends Error {
  constructor(readonly problems: readonly string[]) {
    super(`wrong configuration:\n${problems.map((p) => `  ${p}`).join('\n')}`);
    this.name = 'WrongConfiguration';
  }
}

/** The exit code of a start with a wrong configuration (`EX_CONFIG` of sysexits.h). */
export const EXIT_WRONG_CONFIGURATION = 78;

/** By the code of a system error: the sentence that begins with the path. */
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

/** Returns what is wrong with a file or directory, to be read after its path: `does not exist`. */
export function fileFault(err: unknown): string {
  const code = systemCodeOf(err) ?? '';
  return FILE_FAULTS[code] ?? `cannot be opened (${code || String(err)})`;
}

/** Returns `ENOENT` and the like; undefined for an error that is not the operating system's. */
export function systemCodeOf(err: unknown): string | undefined {
  return err instanceof Error && 'syscall' in err && 'code' in err ? String(err.code) : undefined;
}
