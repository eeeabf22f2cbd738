// Short guides to the API for people and assistants with little room: `/llms.txt`, and every endpoint on one line.
import { holdersOf } from '../domain/project/roles.js';
import type { Route } from './dispatch/route.js';
import { routes } from './routes.js';

/** Returns the guide to the REST API: authentication, conventions, and one line per endpoint. */
export function openApiGuide(): string {
  return `# REST API of Subledger

JSON over HTTP. The exact schemas are in /openapi.json (large); this page lists every endpoint on one line.

- Credentials: \`X-API-Key: sk_…\` for servers, \`Authorization: Bearer …\` (from /auth/login) for people. The scope that a key needs is in brackets; every scope includes read.
- Errors: \`{ statusCode, message, error }\`; the message says what to do. 429 and 503 have \`Retry-After\`.
- Lists: \`items\`, \`nextPage\` (path of the next page, null on the last); \`limit\` up to 100.
- Times are ISO 8601 UTC. Amounts are decimal numbers in the stated currency.
- \`Idempotency-Key\` on a POST: it is performed once within 24 hours.
- \`asOf=<instant>\`, where it exists, answers from what was recorded by then.

${routes.map(lineOf).join('\n')}
`;
}

function lineOf({ method, path, summary, permission }: Route): string {
  const scopes = permission === null ? '' : ` [${holdersOf(permission).scopes.join(' or ') || 'people only'}]`;
  return `- ${method.toUpperCase()} ${path}: ${summary}${scopes}`;
}

export const LLMS_TXT = `# Subledger

> Self-hosted, event-sourced back end for in-app subscriptions on iOS and Android. It receives store notifications and receipts, and tells apps which entitlements each customer has.

Every state has a recorded reason: customers have a timeline, access can be explained, charts can be read as of an earlier instant.

## API

- [Guide](/openapi-guide.md): credentials, conventions and every endpoint on one line
- [OpenAPI document](/openapi.json): exact schemas; large
- [Reference for people](/docs)

## Tools for assistants

- \`POST /mcp\`: Model Context Protocol over HTTP with a secret API key as bearer token, if the operator has set MCP=true
- \`node dist/cli/subledger.js mcp\` in a checkout of Subledger that is built: the same tools over stdio, with SUBLEDGER_URL and SUBLEDGER_API_KEY. No package of a registry has them
`;
