// Files of imports that are read in the process of the spec.
import { importFilesOnDisk } from '../../../src/adapters/imports/files.js';
import { createFactSource } from '../../../src/commands/imports/read-facts.js';
import type { ImportFiles } from '../../../src/commands/imports/run-import.js';

export const filesHere: ImportFiles = {
  isHere: importFilesOnDisk.isHere,
  isFileFault: importFilesOnDisk.isFileFault,
  openSource: () => createFactSource(importFilesOnDisk),
};
