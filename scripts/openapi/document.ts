// OpenAPI 3.1 document of the API, generated from the route table: it contains every registered route.
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
    servers: [{ url: '/', description: 'This server' }],
    tags: tags.filter(({ name }) => name === 'Operation' || used.has(name)),
    paths: { ...Object.fromEntries(paths), ...operations },
    components: { securitySchemes, parameters, headers, responses: refusalResponses(), schemas },
  };
}

const errorSchema: JsonSchema = {
  type: 'object',
  description: 'Body of every error response.',
  properties: {
    statusCode: { type: 'integer', description: 'Equal to the HTTP status.' },
    message: { type: 'string', description: 'What is wrong and what to do. Intended for people; do not compare it.' },
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
    description: 'The project, for requests of users. API keys belong to one project and do not need it.',
    schema: { type: 'string' },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Any unique text. The same request with the same key within 24 hours is executed once and gets the same response.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  Position: {
    name: 'X-Position',
    in: 'header',
    required: false,
    description: 'The `x-position` of an earlier response: this request waits until that write is visible.',
    schema: { type: 'string', pattern: '^\\d{20}$' },
  },
};

const headers = {
  RequestId: { description: 'ID of this request in the log.', schema: { type: 'string' } },
  Position: {
    description: 'Log position of the write; see the `X-Position` request header.',
    schema: { type: 'string' },
  },
  ReadPosition: {
    description:
      'Log position up to which the read models had processed the log before this response was made; it orders as text. Missing while a read model has not started.',
    schema: { type: 'string' },
  },
  RetryAfter: { description: 'Seconds to wait.', schema: { type: 'integer' } },
};
