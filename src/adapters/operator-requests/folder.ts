// Operator requests as files in a folder of the data directory; write access to it is permission to send requests. Complete files are
// renamed into place.
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildFolder, dataFiles } from '../configuration/data-directory.js';
import { parseJson } from '../../domain/values/json.js';
import type { OperatorReply, PendingRequest, OperatorRequests } from './port.js';

const REQUEST_SUFFIX = '.asked.json';
const REPLY_SUFFIX = '.answered.json';

/** Creates the port; the folder is created with the first request. `fileOf` returns the file of the read models that a request offers. */
export function openOperatorRequests(dataDir: string): {
  readonly requests: OperatorRequests;
  readonly fileOf: (folder: string) => string;
} {
  const folder = join(dataDir, 'operator-requests');
  const put = async (name: string, content: unknown) => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const file = join(folder, name);
    await writeFile(`${file}.part`, JSON.stringify(content), { mode: 0o600, flush: true });
    await rename(`${file}.part`, file);
  };
  const requests: OperatorRequests = {
    pending: async () => {
      const names = (await listNames(folder)).filter((name) => name.endsWith(REQUEST_SUFFIX)).sort();
      const read = async (name: string): Promise<PendingRequest> => {
        const id = name.slice(0, -REQUEST_SUFFIX.length);
        return { id, request: parseJson(await readFile(join(folder, name), 'utf8')) };
      };
      return Promise.all(names.map(read));
    },
    reply: async (id, reply) => {
      await put(id + REPLY_SUFFIX, reply);
      await rm(join(folder, id + REQUEST_SUFFIX), { force: true });
    },
    submit: (id, request) => put(id + REQUEST_SUFFIX, request),
    takeReply: async (id) => {
      const name = id + REPLY_SUFFIX;
      if (!(await listNames(folder)).includes(name)) return undefined;
      const reply = parseJson(await readFile(join(folder, name), 'utf8')) as OperatorReply;
      await rm(join(folder, name));
      return reply;
    },
  };
  return { requests, fileOf: (name) => dataFiles(buildFolder(dataDir, name)).documents };
}

async function listNames(folder: string): Promise<string[]> {
  // The folder does not exist before the first request.
  return readdir(folder).catch(() => []);
}
