// Built files of the dashboard: its document, and assets whose names contain a content hash.
import { existsSync, readdirSync, readFileSync } from 'node:fs';

export type DashboardFile = { readonly name: string; readonly bytes: Buffer; readonly gzipped: Buffer };

const BUILT_FOLDER = new URL('../../dashboard/', import.meta.url);
const SOURCE_FOLDER = new URL('../../../dist/dashboard/', import.meta.url);

/** Loads the files by name, such as `index.html` and `assets/main-1a2b.js`; empty when the dashboard was not built. */
export function loadDashboardFiles(): ReadonlyMap<string, DashboardFile> {
  const folder = [BUILT_FOLDER, SOURCE_FOLDER].find((place) => existsSync(new URL('index.html', place)));
  if (!folder) return new Map();
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'));
  const files = names
    .filter((name) => names.includes(`${name}.gz`))
    .map((name) => {
      const [bytes, gzipped] = [name, `${name}.gz`].map((file) => readFileSync(new URL(file, folder)));
      return { name, bytes: bytes ?? Buffer.alloc(0), gzipped: gzipped ?? Buffer.alloc(0) };
    });
  return new Map(files.map((file) => [file.name, file]));
}
