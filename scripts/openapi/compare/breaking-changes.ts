// Breaking changes between two OpenAPI documents: what a client that was written for the first cannot do with the second.
import { createSchemaComparison, type Schemas } from './schema-changes.js';

type Schema = Schemas[string];
type Content = Readonly<Record<string, { readonly schema?: Schema }>>;
type Parameter = {
  readonly $ref?: string;
  readonly in: string;
  readonly name: string;
  readonly required?: boolean;
  readonly schema?: Schema;
};
type Response = {
  readonly $ref?: string;
  readonly content?: Content;
  readonly headers?: Readonly<Record<string, unknown>>;
};
type Operation = {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content?: Content };
  readonly responses?: Readonly<Record<string, Response>>;
  readonly security?: readonly Readonly<Record<string, unknown>>[];
};
export type OpenApiDocument = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: {
    readonly schemas?: Schemas;
    readonly parameters?: Readonly<Record<string, Parameter>>;
  };
};

/** Returns one line for each breaking change, such as `GET /v1/projects: response 200.items[].name: is no longer returned`. */
export function findBreakingChanges(before: OpenApiDocument, after: OpenApiDocument): readonly string[] {
  const current = operationsOf(after);
  const schemas = { before: before.components?.schemas ?? {}, after: after.components?.schemas ?? {} };
  const inRequest = createSchemaComparison({ ...schemas, direction: 'request' });
  const inResponse = createSchemaComparison({ ...schemas, direction: 'response' });
  return [...operationsOf(before)].flatMap(([key, { name, operation }]) => {
    const found = current.get(key);
    if (!found) return [`${name}: is removed`];
    const changes = [
      ...ofParameters(parametersOf(operation, before), parametersOf(found.operation, after)),
      ...ofBody(operation, found.operation),
      ...ofResponses(operation.responses ?? {}, found.operation.responses ?? {}),
      ...ofCredentials(operation, found.operation),
    ];
    return changes.map((change) => `${name}: ${change}`);
  });

  function ofParameters(was: ReadonlyMap<string, Parameter>, is: ReadonlyMap<string, Parameter>): readonly string[] {
    const findings = [...was].flatMap(([key, parameter]) => {
      const now = is.get(key);
      if (!now) return [`${key}: is no longer accepted`];
      const required = now.required && !parameter.required ? [`${key}: is now required`] : [];
      return [...required, ...inRequest(parameter.schema, now.schema, key)];
    });
    const added = [...is].filter(([key, { required }]) => required && !was.has(key));
    return [...findings, ...added.map(([key]) => `${key}: is new and required`)];
  }

  function ofBody({ requestBody: was }: Operation, { requestBody: is }: Operation): readonly string[] {
    if (is?.required && !was?.required) return ['body: is now required'];
    return ofContent(was?.content ?? {}, is?.content ?? {}, 'body', inRequest);
  }

  function ofResponses(
    was: Readonly<Record<string, Response>>,
    is: Readonly<Record<string, Response>>,
  ): readonly string[] {
    const successes = Object.entries(was).filter(([status]) => status.startsWith('2'));
    return successes.flatMap(([status, response]) => {
      const now = is[status];
      if (!now) return [`response ${status}: is no longer returned`];
      const headers = Object.keys(response.headers ?? {}).filter((header) => !(header in (now.headers ?? {})));
      return [
        ...headers.map((header) => `response ${status} header ${header}: is no longer returned`),
        ...ofContent(response.content ?? {}, now.content ?? {}, `response ${status}`, inResponse),
      ];
    });
  }
}

type Comparison = ReturnType<typeof createSchemaComparison>;

function ofContent(was: Content, is: Content, place: string, compare: Comparison): readonly string[] {
  return Object.entries(was).flatMap(([type, { schema }]) => {
    const now = is[type];
    return now ? compare(schema, now.schema, place) : [`${place}: ${type} is no longer supported`];
  });
}

/** An operation without `security`, or with an empty alternative, needs no credentials. */
function ofCredentials({ security: was = [] }: Operation, { security: is = [] }: Operation): readonly string[] {
  const nameOf = (one: Readonly<Record<string, unknown>>) => Object.keys(one).sort().join(' and ') || 'no credentials';
  const names = (all: readonly Readonly<Record<string, unknown>>[]) =>
    all.length === 0 ? ['no credentials'] : all.map(nameOf);
  const accepted = names(is);
  if (accepted.includes('no credentials')) return [];
  return names(was)
    .filter((name) => !accepted.includes(name))
    .map((name) => `credentials: ${name} is no longer accepted`);
}

const METHODS: ReadonlySet<string> = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch']);

/** Paths are the same whatever the names of their parameters. */
function operationsOf({ paths }: OpenApiDocument): ReadonlyMap<string, { name: string; operation: Operation }> {
  const all = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => METHODS.has(method))
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  return new Map(
    all.map(({ method, path, operation }) => [
      `${method} ${path.replace(/\{\w+\}/g, '{}')}`,
      { name: `${method} ${path}`, operation },
    ]),
  );
}

/** Returns parameters by place and name, without those of the path, which are part of it. */
function parametersOf({ parameters = [] }: Operation, { components }: OpenApiDocument): ReadonlyMap<string, Parameter> {
  const resolved = parameters.map((parameter) => {
    if (parameter.$ref === undefined) return parameter;
    const target = components?.parameters?.[parameter.$ref.split('/').at(-1) ?? ''];
    if (!target) throw new Error(`${parameter.$ref} does not exist`);
    return target;
  });
  return new Map(resolved.filter((p) => p.in !== 'path').map((p) => [`${p.in} parameter ${p.name}`, p]));
}
