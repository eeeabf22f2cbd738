// Paths outside the route table: they serve load balancers and tools, and take neither credentials nor input.

const json = (schema: object, example?: object) => ({ 'application/json': { schema, ...(example && { example }) } });
const status = (state: string, more: object = {}) => {
  const properties = { status: { type: 'string', enum: [state] }, ...more };
  return json({ type: 'object', properties, required: ['status'] }, { status: state });
};
const halted = {
  halted: {
    type: 'array',
    items: { type: 'string' },
    description: 'Halted read models, which serve stale data. Omitted when there are none.',
  },
};
const waitingFor = {
  waitingFor: {
    type: 'array',
    items: { type: 'string' },
    description: 'Servers that the process needs to start and that do not respond yet. Omitted once it has started.',
  },
};
const shared = { tags: ['Operation'], security: [] };

export const operations = {
  '/livez': {
    get: {
      ...shared,
      operationId: 'checkLife',
      summary: 'Liveness',
      responses: { 200: { description: 'It is.', content: status('ok') } },
    },
  },
  '/readyz': {
    get: {
      ...shared,
      operationId: 'checkReadiness',
      summary: 'Readiness',
      description:
        'Not ready while it waits for a server after a start (`waitingFor`), while read models are built, and while it shuts down.',
      responses: {
        200: { description: 'It can.', content: status('ready', halted) },
        503: { description: 'Not now.', content: status('not ready', { ...halted, ...waitingFor }) },
      },
    },
  },
  '/openapi.json': {
    get: {
      ...shared,
      operationId: 'getOpenapiDocument',
      summary: 'This document',
      responses: { 200: { description: 'OpenAPI 3.1.', content: json({ type: 'object' }) } },
    },
  },
};
