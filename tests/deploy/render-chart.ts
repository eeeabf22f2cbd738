// Renders the Helm chart with Go's own template engine. It has only the built-in functions, so `toJson`, the one function of Helm that the chart
// uses, is replaced: its arguments are given to the engine as JSON already, as are files of the chart. A value that does not exist is an error, as Helm's strict mode.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse as renderTemplate } from '@evertdespiegeleer/go-template';
import { parse, parseAllDocuments } from 'yaml';

type Values = { readonly [name: string]: unknown };
export type Manifest = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>> };
} & Record<string, unknown>;

export const chartFolder = fileURLToPath(new URL('../../deploy/helm/subledger', import.meta.url));
const read = (file: string) => readFileSync(join(chartFolder, file), 'utf8');

export const defaultValues = parse(read('values.yaml')) as Values;
export const chart = parse(read('Chart.yaml')) as Values;
export const valuesSchema = JSON.parse(read('values.schema.json')) as object;

/** Merges values as Helm does: maps by key, everything else replaced. */
export function mergeValues(base: unknown, over: unknown): unknown {
  if (!isMap(base) || !isMap(over)) return over === undefined ? base : over;
  const names = new Set([...Object.keys(base), ...Object.keys(over)]);
  return Object.fromEntries([...names].map((name) => [name, mergeValues(base[name], over[name])]));
}

/** Renders a file of the chart as text. */
export async function renderFile(file: string, over: Values): Promise<string> {
  const files = readdirSync(join(chartFolder, 'templates'));
  const shared = files.filter((name) => name.endsWith('.tpl')).map((name) => read(join('templates', name)));
  const source = [...shared, read(join('templates', file))].join('\n');
  const asJson = new Set([...source.matchAll(/toJson [$.\w]*\.(\w+)/g)].map(([, name = '']) => name));
  const items = /range [$.\w]*\.(\w+) \}\}\s*- \{\{ toJson \. \}\}/g;
  const itemsAsJson = new Set([...source.matchAll(items)].map(([, name = '']) => name));
  const values = serialize(mergeValues(defaultValues, over), asJson, itemsAsJson);
  const chartFields = { Name: chart['name'], Version: chart['version'], AppVersion: chart['appVersion'] };
  const release = { Name: 'shop', Namespace: 'billing' };
  const contents: Record<string, string> = {};
  const withFiles = source.replaceAll(/toJson \(\.Files\.Get "([^"]+)"\)/g, (_call, name: string) => {
    const field = `file${Object.keys(contents).length}`;
    contents[field] = JSON.stringify(read(name));
    return `.Files.${field}`;
  });
  const known = { Values: values, Chart: chartFields, Release: release, Files: contents };
  return renderTemplate(withFiles.replaceAll('toJson ', ''), known);
}

/** Renders all manifests. */
export async function renderChart(over: Values): Promise<Manifest[]> {
  const files = readdirSync(join(chartFolder, 'templates')).filter((name) => name.endsWith('.yaml'));
  const texts = await Promise.all(files.map((file) => renderFile(file, over)));
  return texts.flatMap((text) =>
    parseAllDocuments(text, { strict: true, uniqueKeys: true }).flatMap((document) => {
      if (document.errors.length > 0) throw new Error(`${document.errors.join('\n')}\n${text}`);
      const manifest = document.toJS() as Manifest | null;
      return manifest === null ? [] : [manifest];
    }),
  );
}

/** `itemsAsJson`: lists whose items are printed as JSON one by one. */
function serialize(value: unknown, asJson: ReadonlySet<string>, itemsAsJson: ReadonlySet<string>): unknown {
  if (!isMap(value)) return value;
  const textOf = (name: string, part: unknown) => {
    if (asJson.has(name)) return JSON.stringify(part);
    if (itemsAsJson.has(name)) return (part as readonly unknown[]).map((item) => JSON.stringify(item));
    return serialize(part, asJson, itemsAsJson);
  };
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, textOf(name, part)]));
}

function isMap(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
