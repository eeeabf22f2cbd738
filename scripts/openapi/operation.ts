// Converts one route to an operation of the OpenAPI document.
import type { z } from 'zod';
import { holdersOf, roles, type KeyScope } from '../../src/domain/project/roles.js';
import type { Access } from '../../src/http/dispatch/caller.js';
import { reportsReadPosition } from '../../src/http/dispatch/consistency.js';
import type { Route, SuccessStatus } from '../../src/http/dispatch/route.js';
import { schemaOf, type JsonSchema } from './json-schema.js';
import { refusalName, refusalsOf } from './refusals.js';
import { responseExamples } from './examples.js';
import { meaningOf, operationIdOf, tagOf } from './chapters.js';

const user = { userToken: [] };
const secret = { secretKey: [] };
const open = { publicKey: [] };

const security: Readonly<Record<Access, readonly object[]>> = {
  open: [],
  user: [user],
  account: [user, secret],
  accountUser: [user],
  project: [user, secret],
  projectUser: [user],
  sdk: [secret, open, user],
  sdkSecret: [secret, user],
  sdkKey: [secret, open],
};

export function operationOf(route: Route, components: Map<string, JsonSchema>): object {
  const operationId = operationIdOf(route);
  const name = `${operationId[0]?.toUpperCase() ?? ''}${operationId.slice(1)}Body`;
  const { summary } = route;
  const description = [route.description, describePermission(route)].filter((text) => text !== null).join('\n\n');
  return {
    operationId,
    summary,
    ...(description !== '' && { description }),
    tags: [tagOf(route.path)],
    security: security[route.access],
    parameters: parametersOf(route),
    ...(route.body && { requestBody: requestBodyOf(route.body, route.example, name, components) }),
    ...(route.takesFile && { requestBody: FILE }),
    responses: responsesOf(route, components),
  };
}

/** Describes the required roles and scopes in words, from the table of permissions. */
function describePermission({ access, permission }: Route): string | null {
  if (permission === null) return null;
  const allowed = holdersOf(permission);
  const everybody = allowed.roles.length === roles.length ? 'all' : allowed.roles.join(', ');
  const byRole = access === 'sdkKey' ? [] : [`Roles: ${everybody}.`];
  const byScope = access === 'projectUser' ? [] : [`Scopes of a secret key: ${scopeNames(allowed.scopes)}.`];
  return [...byRole, ...byScope].join(' ');
}

function scopeNames(scopes: readonly KeyScope[]): string {
  return scopes.includes('read') ? 'any' : scopes.map((scope) => `\`${scope}\``).join(' or ');
}

function requestBodyOf(body: z.ZodType, example: unknown, name: string, components: Map<string, JsonSchema>): object {
  components.set(name, schemaOf(body, 'input', components));
  const schema = { $ref: `#/components/schemas/${name}` };
  const required = !body.safeParse(undefined).success;
  return { required, content: { 'application/json': { schema, ...(example !== undefined && { example }) } } };
}

const FILE = {
  required: true,
  content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
};

const SUCCESSES: Readonly<Record<SuccessStatus, string>> = {
  200: 'Done.',
  201: 'Created.',
  202: 'Accepted for later processing; the response says what is missing.',
};

function responsesOf(route: Route, components: Map<string, JsonSchema>): object {
  const schema = schemaOf(route.response, 'output', components);
  const headers = { 'x-request-id': { $ref: '#/components/headers/RequestId' } };
  const headersOfWrite = { ...headers, 'x-position': { $ref: '#/components/headers/Position' } };
  const read = reportsReadPosition(route)
    ? { ...headers, 'x-read-position': { $ref: '#/components/headers/ReadPosition' } }
    : headers;
  const examples = responseExamples[`${route.method.toUpperCase()} ${route.path}`];
  const successes = route.statuses.map((status) => {
    const example = examples?.[status];
    const content = { [route.responseType]: { schema, ...(example !== undefined && { example }) } };
    const described = { description: SUCCESSES[status], headers: route.method === 'get' ? read : headersOfWrite };
    return [status, { ...described, content }];
  });
  const refusals = refusalsOf(route).map((s) => [s, { $ref: `#/components/responses/${refusalName(s)}` }]);
  return Object.fromEntries([...successes, ...refusals]) as object;
}

function parametersOf(route: Route): readonly object[] {
  const pathParameters = [...fieldsOf(route, 'params')].map(({ name, schema }) => {
    const description = meaningOf(name, route.path);
    return { name, in: 'path', required: true, ...(description !== undefined && { description }), schema };
  });
  const queryParameters = [...fieldsOf(route, 'query')].map(({ name, schema, isRequired }) => {
    const { description, ...rest } = schema;
    return { name, in: 'query', required: isRequired, ...(description !== undefined && { description }), schema: rest };
  });
  const headers = [
    ...(route.access.startsWith('sdk') && route.access !== 'sdkKey' ? ['ProjectId'] : []),
    ...(route.method === 'get' ? ['Position'] : []),
    ...(route.method === 'post' && !route.takesFile ? ['IdempotencyKey'] : []),
  ];
  return [
    ...pathParameters,
    ...queryParameters,
    ...headers.map((name) => ({ $ref: `#/components/parameters/${name}` })),
  ];
}

type Field = { readonly name: string; readonly schema: JsonSchema; readonly isRequired: boolean };

function fieldsOf(route: Route, part: 'params' | 'query'): readonly Field[] {
  const schema = route[part];
  if (!schema) return [];
  const { properties = {}, required = [] } = schemaOf(schema, 'input', new Map());
  return Object.entries(properties as Record<string, JsonSchema>).map(([name, field]) => ({
    name,
    schema: field,
    isRequired: (required as readonly string[]).includes(name),
  }));
}
