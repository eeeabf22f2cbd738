// The Markdown pages of the repository: which there are, what they link to, what they show as code.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));

const NOT_OURS = /(^|\/)(node_modules|dist|data|coverage)\//;

/** Paths relative to the repository, sorted. */
export function pages(): readonly string[] {
  const folders = ['docs/', 'sdk/', 'samples/', 'bench/', 'scripts/'];
  const inFolders = folders.flatMap((folder) =>
    readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' }).map((name) => folder + name),
  );
  return [...readdirSync(root), ...inFolders].filter((name) => name.endsWith('.md') && !NOT_OURS.test(name)).sort();
}

export function read(page: string): string {
  return readFileSync(`${root}${page}`, 'utf8');
}

/** `line`: of the opening fence, from 1. `info`: what follows the backticks. */
export type Block = { readonly page: string; readonly line: number; readonly info: string; readonly text: string };

export function blocksOf(page: string): readonly Block[] {
  const blocks: Block[] = [];
  let open: { line: number; info: string; text: string[] } | null = null;
  for (const [i, text] of read(page).split('\n').entries()) {
    const fence = /^```(.*)$/.exec(text);
    if (!fence) open?.text.push(text);
    else if (open) {
      blocks.push({ page, line: open.line, info: open.info, text: open.text.join('\n') });
      open = null;
    } else open = { line: i + 1, info: (fence[1] ?? '').trim(), text: [] };
  }
  if (open) throw new Error(`${page}:${open.line} opens a block that nothing closes`);
  return blocks;
}

/** Without blocks of code. */
export function proseOf(page: string): string {
  return read(page).replace(/^```[^]*?^```$/gm, '');
}

/** Targets of links, outside of code. */
export function linksOf(page: string): readonly string[] {
  const prose = proseOf(page).replace(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\[[^\]]*\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
}

/** The anchors of a page's headings, as GitHub names them. */
export function anchorsOf(page: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const [, title = ''] of proseOf(page).matchAll(/^#{1,6} (.+)$/gm)) {
    const plain = title.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[`*]/g, '');
    const slug = plain
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replace(/\s/g, '-');
    let anchor = slug;
    for (let n = 1; anchors.has(anchor); n++) anchor = `${slug}-${n}`;
    anchors.add(anchor);
  }
  return anchors;
}
