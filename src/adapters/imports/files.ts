// The files of imports on this machine.
import { accessSync, constants } from 'node:fs';
import { openImportFile } from './open-file.js';
import { UnreadableFile, type ImportStaging, type OpenedFile } from './port.js';
import { openImportStaging } from './staging.js';

export const importFilesOnDisk = {
  open: (path: string): Promise<OpenedFile> => openImportFile(path),
  isHere: (path: string): boolean => {
    try {
      accessSync(path, constants.R_OK);
      return true;
    } catch {
      return false;
    }
  },
  openStaging: (): ImportStaging => openImportStaging(),
  isFileFault: (err: unknown): err is Error => err instanceof UnreadableFile,
};
