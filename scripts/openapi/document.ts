// The OpenAPI 3.1 document of the interface, made from the route table: every registered route is in it.
import type { Route } from '../../src/http/dispatch/route.js';
import { guide } from './guide.js';
import type { JsonSchema } from './json-schema.js';
import { operationOf } from './operation.js';
import { operations } from './operations.js';
import { refusalResponses } from './refusals.js';
import { tagOf, tags } from './chapters.js';

export function openApiDocument(routes: readonly Route[]): object {
  const components = new Map<string, JsonSchema>([['Error', errorSchema]]);
  const paths = new Map<string, Record<string, object>>();
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    const item = paths.get(path) ?? {};
    item[route.method] = operationOf(route, components);
    paths.set(path, item);
  }
  const used = new Set(routes.map(({ path }) => tagOf(path)));
  const schemas = Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1)));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Subledger',
      version: '1.0.0',
      description: guide,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'The server that shows this document.' }],
    tags: tags.filter(({ name }) => name === 'Operation' || used.has(name)),
    paths: { ...Object.fromEntries(paths), ...operations },
    components: { securitySchemes, parameters, headers, responses: refusalResponses(), schemas },
  };
}

const errorSchema: JsonSchema = {
  type: 'object',
  description: 'Every refusal, whatever went wrong.',
  properties: {
    statusCode: { type: 'integer', description: 'Equal to the HTTP status.' },
    message: { type: 'string', description: 'What is wrong and what to do. For people: do not compare it.' },
    error: { type: 'string', description: 'The name of the HTTP status.' },
  },
  required: ['statusCode', 'message', 'error'],
  additionalProperties: false,
};

const apiKey = { type: 'apiKey', in: 'header', name: 'X-API-Key' };
const securitySchemes = {
  userToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The `accessToken` of a logged-in user.',
  },
  secretKey: { ...apiKey, description: 'A secret API key (`sk_…`), for servers. Never ship it in an app.' },
  publicKey: { ...apiKey, description: 'A public API key (`pk_…`), for client SDKs; tied to one app.' },
};

const parameters = {
  ProjectId: {
    name: 'X-Project-Id',
    in: 'header',
    required: false,
    description: 'The project, when a user asks. A key needs none: it belongs to one.',
    schema: { type: 'string' },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Any text of your own. The same request with the same key within 24 hours is done once and answered alike.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  Position: {
    name: 'X-Position',
    in: 'header',
    required: false,
    description: 'The `x-position` of an earlier answer: this one waits until it shows what that one wrote.',
    schema: { type: 'string', pattern: '^\\d{20}$' },
  },
};

const headers = {
  RequestId: { description: 'Names this request in the log.', schema: { type: 'string' } },
  Position: {
    description: 'Where in the log the write stands; see the `X-Position` request header.',
    schema: { type: 'string' },
  },
  RetryAfter: { description: 'Seconds to wait.', schema: { type: 'integer' } },
};
