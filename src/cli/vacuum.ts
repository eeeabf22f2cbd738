// `subledger vacuum`: rewrites the files of a stopped service, so that they contain no deleted data.
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { readConfig } from '../adapters/configuration/config.js';
import { dataFiles } from '../adapters/configuration/data-directory.js';
import { lockDirectory } from '../adapters/sqlite/lock.js';
import { vacuumFile } from '../adapters/sqlite/database.js';
import { checkHasData } from '../adapters/engine/data-completeness.js';
import { hasServers } from '../adapters/engine/engine.js';
import { Failure } from './support/outcome.js';

const MB = 1_000_000;

export function vacuum(o: { readonly json?: true }): void {
  const config = readConfig(process.env);
  if (hasServers(config)) {
    throw new Failure(
      'vacuum rewrites files in DATA_DIR; on servers use compact (MongoDB) and scavenge (the log server)',
    );
  }
  if (!existsSync(config.DATA_DIR)) {
    throw new Failure(`DATA_DIR ${config.DATA_DIR} does not exist; set it to the data directory of the service`);
  }
  checkHasData(config);
  const unlock = lockDirectory(config.DATA_DIR);
  try {
    const files = Object.values(dataFiles(config.DATA_DIR)).filter((file) => existsSync(file));
    const results = files.map((file) => {
      const { before, after } = vacuumFile(file);
      const result = { file: basename(file), bytesBefore: before, bytesAfter: after, bytesFreed: before - after };
      if (!o.json) process.stdout.write(`${textOf(result)}\n`);
      return result;
    });
    if (o.json) process.stdout.write(`${JSON.stringify(results, null, 2)}\n`);
  } finally {
    unlock();
  }
}

type Result = { readonly file: string; readonly bytesAfter: number; readonly bytesFreed: number };

function textOf({ file, bytesAfter, bytesFreed }: Result): string {
  const megabytes = (bytes: number) => `${(Math.max(0, bytes) / MB).toFixed(1)} MB`;
  return `${file}: ${megabytes(bytesFreed)} freed, ${megabytes(bytesAfter)} in use`;
}
