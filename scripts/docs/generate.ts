// Writes the pages of docs/ and the Grafana dashboard, which are generated from the code. Run by `npm run docs`; a test compares.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { z } from 'zod';
import { importedLine } from '../../src/domain/imports/facts.js';
import type { GeneratedFile } from '../openapi/generate.js';
import { chartsPage } from './charts-page.js';
import { eventsPage } from './events-page.js';
import { exportFactsPage } from './export-facts-page.js';
import { grafanaDashboard } from './grafana-dashboard.js';

export async function generate(): Promise<readonly GeneratedFile[]> {
  return [
    await page('events.md', eventsPage()),
    await page('charts.md', chartsPage()),
    await page('export-facts.md', exportFactsPage()),
    await jsonFile('docs/import-facts.schema.json', importFactsSchema()),
    await jsonFile('deploy/helm/subledger/dashboards/subledger.json', await grafanaDashboard()),
  ];
}

/** Returns the JSON Schema of a line of `subledger import facts`. */
function importFactsSchema(): object {
  const schema = z.toJSONSchema(importedLine, { io: 'input' });
  return { title: 'A line of `subledger import facts`', ...schema };
}

async function jsonFile(path: string, content: object): Promise<GeneratedFile> {
  const file = new URL(`../../${path}`, import.meta.url);
  const style = await resolveConfig(fileURLToPath(file));
  return { file, text: await format(JSON.stringify(content), { ...style, parser: 'json' }) };
}

async function page(name: string, text: string): Promise<GeneratedFile> {
  const file = new URL(`../../docs/${name}`, import.meta.url);
  const style = await resolveConfig(fileURLToPath(file));
  return { file, text: await format(text, { ...style, parser: 'markdown' }) };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const { file, text } of await generate()) writeFileSync(file, text);
}
