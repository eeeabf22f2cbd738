// Fingerprint of the code that folds events: equal fingerprints build equal read models.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';

const FOLDERS = ['domain', 'projections'];

/** Hashes the files of domain and projections as they are on the disk now; takes some milliseconds. */
export function codeFingerprint(): string {
  const hash = createHash('sha256');
  for (const folder of FOLDERS) {
    const root = fileURLToPath(new URL(`../../${folder}`, import.meta.url));
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => /\.[jt]s$/.test(name));
    for (const name of files.sort()) hash.update(name).update(readFileSync(join(root, name)));
  }
  return hash.digest('hex');
}
