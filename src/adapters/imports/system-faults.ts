// Faults of files that the system cannot read, in words, with what to do.
import { errorCodeOf } from '../configuration/wrong-configuration.js';
import { UnreadableFile } from './port.js';

/** Advice by the code of the system's error. */
const SYSTEM_FAULTS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file; give its whole path',
  EACCES: 'this user may not read it; change its permissions',
  EPERM: 'this user may not read it; change its permissions',
};

/** `place`: file, with the row where it is known. */
export function systemFault(place: string, err: unknown): UnreadableFile {
  const code = errorCodeOf(err) ?? 'unknown error';
  const advice = SYSTEM_FAULTS[code] ?? `the system cannot read it (${code}); check the disk, or copy the file again`;
  return new UnreadableFile(`${place}: ${advice}`, { cause: err });
}
