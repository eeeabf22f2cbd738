// The spool as a folder of the data directory: whoever may write there may ask. A file appears whole, because it is renamed into place.
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildFolder, dataFiles } from '../data-directory.js';
import type { Answered, Asked, Spool } from './port.js';

const ASKED = '.asked.json';
const ANSWERED = '.answered.json';

/** The folder is made with the first request. `fileOf` finds the read models that a request offers. */
export function spoolIn(dataDir: string): { readonly spool: Spool; readonly fileOf: (folder: string) => string } {
  const folder = join(dataDir, 'spool');
  const put = async (name: string, content: unknown) => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const file = join(folder, name);
    await writeFile(`${file}.part`, JSON.stringify(content), { mode: 0o600, flush: true });
    await rename(`${file}.part`, file);
  };
  const spool: Spool = {
    pending: async () => {
      const names = (await namesIn(folder)).filter((name) => name.endsWith(ASKED)).sort();
      const read = async (name: string): Promise<Asked> => {
        const id = name.slice(0, -ASKED.length);
        return { id, request: parsed(await readFile(join(folder, name), 'utf8')) };
      };
      return Promise.all(names.map(read));
    },
    answer: async (id, answer) => {
      await put(id + ANSWERED, answer);
      await rm(join(folder, id + ASKED), { force: true });
    },
    ask: (id, request) => put(id + ASKED, request),
    answerTo: async (id) => {
      const name = id + ANSWERED;
      if (!(await namesIn(folder)).includes(name)) return undefined;
      const answer = parsed(await readFile(join(folder, name), 'utf8')) as Answered;
      await rm(join(folder, name));
      return answer;
    },
  };
  return { spool, fileOf: (name) => dataFiles(buildFolder(dataDir, name)).documents };
}

async function namesIn(folder: string): Promise<string[]> {
  // Most data directories never see a request, and have no folder for them.
  return readdir(folder).catch(() => []);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Somebody else's file: it is answered as a request that nobody knows.
    return null;
  }
}
