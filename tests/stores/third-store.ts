// A copy of the source with a third store: its folders beside those of the others, and the few lines that list it.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

type Line = { readonly file: string; readonly before: string; readonly line: string };

/** All that a third store takes outside its own folders. `before`: the line that it comes before. */
export const lines: readonly Line[] = [
  {
    file: 'domain/store-kinds.ts',
    before: '] as const;',
    line: `  {
    kind: 'third-store',
    platform: 'third',
    appField: 'thirdAppName',
    hasSmallBusiness: false,
    revenueCatName: 'third_store',
  },`,
  },
  {
    file: 'commands/stores/modules.ts',
    before: "import { iosStore } from './ios/store.js';",
    line: "import { thirdStore } from './third/store.js';",
  },
  {
    file: 'commands/stores/modules.ts',
    before: '} satisfies { readonly [K in StoreKind]: StoreModule<never> };',
    line: "  'third-store': thirdStore,",
  },
  {
    file: 'main/open-stores.ts',
    before: "import { openAndroidStore } from '../adapters/android-store/store.js';",
    line: "import { openThirdStore } from '../adapters/third-store/store.js';",
  },
  {
    file: 'main/open-stores.ts',
    before: "  'android-store': openAndroidStore,",
    line: "  'third-store': openThirdStore,",
  },
];

/** `load` imports a module of the copy by its path in the source. */
export type SourceWithThirdStore = {
  load(path: string): Promise<Record<string, unknown>>;
  remove(): void;
};

export function sourceWithThirdStore(): SourceWithThirdStore {
  const directory = mkdtempSync(join(tmpdir(), 'subledger-third-store-'));
  const source = join(directory, 'src');
  for (const file of ['package.json', 'tsconfig.json', 'openapi.json']) cpSync(join(ROOT, file), join(directory, file));
  mkdirSync(source);
  cpSync(join(ROOT, 'src'), source, { recursive: true });
  cpSync(join(ROOT, 'tests/stores/third-store'), source, { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(directory, 'node_modules'));
  for (const added of lines) addLine(join(source, added.file), added);
  return {
    load: (path) => import(pathToFileURL(join(source, path)).href),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}

function addLine(file: string, { before, line }: Line): void {
  const text = readFileSync(file, 'utf8').split('\n');
  const at = text.indexOf(before);
  if (at < 0) throw new Error(`${file} has no line ${before}`);
  writeFileSync(file, text.toSpliced(at, 0, line).join('\n'));
}
