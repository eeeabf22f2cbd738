// Rules of what each part of the source may import and name. Reads one file's syntax tree and returns the violations.
import ts from 'typescript';

export type Area =
  'domain' | 'adapters' | 'commands' | 'projections' | 'http' | 'workers' | 'cli' | 'simulator' | 'main';

type Rule = {
  /** Other areas; of `adapters` only ports, pure modules and types, unless `usesDrivers`. */
  readonly areas: readonly Area[];
  /** Main, adapters and the command line may use any package: they are where drivers live. */
  readonly usesDrivers: boolean;
  readonly packages: readonly string[];
};

const rules: Readonly<Record<Area, Rule>> = {
  domain: { areas: [], usesDrivers: false, packages: ['zod', 'luxon', 'uuid', 'node:crypto'] },
  commands: {
    areas: ['domain', 'adapters'],
    usesDrivers: false,
    packages: ['zod', 'luxon', 'uuid', 'node:crypto', 'node:zlib', 'i18n-iso-countries', 'ulid'],
  },
  projections: {
    areas: ['domain', 'adapters'],
    usesDrivers: false,
    packages: ['zod', 'luxon', 'uuid', 'node:crypto', 'node:util'],
  },
  http: {
    areas: ['domain', 'adapters', 'commands', 'projections'],
    usesDrivers: false,
    packages: [
      'zod',
      'luxon',
      'node:crypto',
      'node:events',
      'node:http',
      'node:querystring',
      'node:stream',
      'express',
      'cors',
      '@modelcontextprotocol/server',
      '#sdk',
      'helmet',
      'ipaddr.js',
      'rate-limiter-flexible',
      'csv-stringify',
      'pino',
    ],
  },
  workers: {
    areas: ['domain', 'adapters', 'commands', 'projections'],
    usesDrivers: false,
    packages: ['zod', 'luxon', 'pino', 'node:events'],
  },
  simulator: {
    areas: [],
    usesDrivers: false,
    packages: [
      'zod',
      'luxon',
      '#sdk',
      'uuid',
      'node:crypto',
      'node:events',
      'node:http',
      'node:net',
      'node:timers/promises',
      '@peculiar/x509',
    ],
  },
  adapters: { areas: ['domain'], usesDrivers: true, packages: [] },
  cli: {
    areas: ['domain', 'adapters', 'commands', 'projections', 'workers', 'simulator', 'main'],
    usesDrivers: true,
    packages: [],
  },
  main: {
    areas: ['domain', 'adapters', 'commands', 'projections', 'http', 'workers', 'simulator'],
    usesDrivers: true,
    packages: [],
  },
};

/** Modules of the adapters that touch nothing outside, beside each `port.ts`. */
const pureAdapters: ReadonlySet<string> = new Set([
  'adapters/bounded-cache.ts',
  'adapters/csv.ts',
  'adapters/runtime.ts',
  'adapters/keys/signing-keys.ts',
  'adapters/android-store/envelope.ts',
  'adapters/books/packed-text.ts',
  'adapters/event-log/raw-body.ts',
  'adapters/ios-store/app-receipt.ts',
  'adapters/ios-store/promotional-offer.ts',
  'adapters/documents/index-keys.ts',
  'adapters/documents/records.ts',
  'adapters/outbound/address-rules.ts',
  // OpenTelemetry's API does nothing until an operator loads an SDK.
  'adapters/tracing/spans.ts',
]);

const MAX_LINES = 250;
/** Randomness and clocks come into the domain as arguments. */
const PURE_CRYPTO: ReadonlySet<string> = new Set(['hash', 'createHmac', 'createHash', 'timingSafeEqual']);

/** `path` is relative to the source's root, with `/`: `domain/time.ts`. */
export function brokenRules(path: string, text: string): readonly string[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const area = areaOf(path);
  const found: string[] = [];
  const report = (what: string) => found.push(`${path}: ${what}`);
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (name === 'index.ts' || name === 'utils.ts') report(`is called ${name}`);
  const lines = text.split('\n').length - 1;
  if (lines > MAX_LINES) report(`has ${lines} lines`);
  const visit = (node: ts.Node): void => {
    const imported = importOf(node);
    if (imported) for (const what of wrongImport(path, area, imported)) report(what);
    if (node.kind === ts.SyntaxKind.AnyKeyword) report('says any');
    if (isSilentDefault(node)) report(SILENT_DEFAULT);
    if (area === 'domain') for (const what of impurity(node)) report(what);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** The one module of the error classes that cross layers. */
const SHARED_ERRORS = 'domain/errors.ts';
const ERROR_CLASS = /^export class (\w+) extends (\w+)/gm;

/**
 * Layers meet at the errors of one module: none imports another for error classes alone. The outer ones may: `cli` and `main` know the
 * adapters that they start. `texts` are all files by their path.
 */
export function borrowedErrors(texts: ReadonlyMap<string, string>): readonly string[] {
  const errorsOf = new Map([...texts].map(([path, text]) => [path, errorClassesIn(text)] as const));
  return [...texts].flatMap(([path, text]) => {
    const area = areaOf(path);
    if (area === 'cli' || area === 'main') return [];
    const { statements } = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
    return statements.flatMap((node) => {
      const imported = ts.isImportDeclaration(node) ? importOf(node) : undefined;
      if (!imported?.from.startsWith('.')) return [];
      const target = targetOf(path, imported.from);
      const errors = errorsOf.get(target);
      if (!errors || target === SHARED_ERRORS || areaOf(target) === area || imported.names.length === 0) return [];
      return imported.names.every((name) => errors.has(name)) ? [`${path}: imports only errors of ${target}`] : [];
    });
  });
}

function errorClassesIn(text: string): ReadonlySet<string> {
  const found = new Set<string>();
  for (const [, name = '', base = ''] of text.matchAll(ERROR_CLASS)) {
    if (base.endsWith('Error') || found.has(base)) found.add(name);
  }
  return found;
}

const SILENT_DEFAULT =
  'passes over types of events without naming them: see touches() and remaining() in domain/events.ts';

/** Returns true for the default clause of a switch over the type of an event that does not name the remaining types. */
function isSilentDefault(node: ts.Node): boolean {
  if (!ts.isDefaultClause(node)) return false;
  const { expression } = node.parent.parent;
  const [first] = node.statements;
  const body = first && ts.isBlock(first) ? first.statements[0] : first;
  const isOverType = ts.isPropertyAccessExpression(expression) && expression.name.text === 'type';
  return isOverType && !body?.getText().startsWith('remaining<');
}

type ImportTarget = { readonly from: string; readonly isType: boolean; readonly names: readonly string[] };

function importOf(node: ts.Node): ImportTarget | undefined {
  if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
    const { importClause } = node;
    const bindings = importClause?.namedBindings;
    const elements = bindings && ts.isNamedImports(bindings) ? [...bindings.elements] : [];
    const names = elements.map((e) => (e.propertyName ?? e.name).text);
    const whole = importClause?.name !== undefined || (bindings !== undefined && ts.isNamespaceImport(bindings));
    const isType = importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword;
    return { from: node.moduleSpecifier.text, isType, names: whole ? [...names, '*'] : names };
  }
  if (ts.isExportDeclaration(node) && node.moduleSpecifier && ts.isStringLiteral(node.moduleSpecifier)) {
    return { from: node.moduleSpecifier.text, isType: node.isTypeOnly, names: ['*'] };
  }
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    const [from] = node.arguments;
    return { from: from && ts.isStringLiteral(from) ? from.text : '(computed)', isType: false, names: ['*'] };
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument) && ts.isStringLiteral(node.argument.literal)) {
    return { from: node.argument.literal.text, isType: true, names: [] };
  }
  return undefined;
}

function wrongImport(path: string, area: Area, { from, isType, names }: ImportTarget): readonly string[] {
  const { areas, usesDrivers, packages } = rules[area];
  if (!from.startsWith('.')) {
    if (usesDrivers) return [];
    if (!packages.includes(packageOf(from))) return [`imports ${from}`];
    const impure = area === 'domain' && from === 'node:crypto' ? names.filter((n) => !PURE_CRYPTO.has(n)) : [];
    return impure.map((n) => `imports ${n} of ${from}`);
  }
  const target = targetOf(path, from);
  const other = areaOf(target);
  if (other === area) return [];
  if (!areas.includes(other)) return [`imports ${target}`];
  if (other !== 'adapters' || usesDrivers || isType) return [];
  return target.endsWith('/port.ts') || pureAdapters.has(target) ? [] : [`imports ${target}`];
}

function targetOf(path: string, from: string): string {
  return new URL(from, `file:///src/${path}`).pathname.replace(/^\/src\//, '').replace(/\.js$/, '.ts');
}

function impurity(node: ts.Node): readonly string[] {
  if (ts.isNewExpression(node) && node.expression.getText() === 'Date' && !node.arguments?.length)
    return ['reads the clock: new Date()'];
  if (
    ts.isCallExpression(node) &&
    /(^|\.)(now|utc|local)$/.test(node.expression.getText()) &&
    node.arguments.length === 0
  ) {
    return [`reads the clock: ${node.expression.getText()}()`];
  }
  if (ts.isIdentifier(node) && node.text === 'randomUUID') return ['draws an id: randomUUID'];
  if (ts.isPropertyAccessExpression(node)) {
    const text = node.getText();
    if (text === 'Math.random' || text === 'process.env') return [`names ${text}`];
  }
  return [];
}

function packageOf(from: string): string {
  if (from.startsWith('node:')) return from;
  return from
    .split('/')
    .slice(0, from.startsWith('@') ? 2 : 1)
    .join('/');
}

function areaOf(path: string): Area {
  if (path === 'main.ts') return 'main';
  const folder = path.slice(0, path.indexOf('/'));
  const area = (Object.keys(rules) as Area[]).find((a) => a === folder);
  if (!area) throw new Error(`${path} is in no part of the source that has a rule`);
  return area;
}
