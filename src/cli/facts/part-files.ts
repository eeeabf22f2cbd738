// Files that get their names when they are complete.
import { rmSync } from 'node:fs';
import { createPrivateFile } from '../../adapters/configuration/data-directory.js';

export const partOf = (file: string): string => `${file}.part`;

/** Creates the empty file under its temporary name, which it returns. One left by an earlier run may have another mode: it is replaced. */
export function createPart(file: string): string {
  const part = partOf(file);
  rmSync(part, { force: true });
  createPrivateFile(part);
  return part;
}
