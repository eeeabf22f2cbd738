// Records an example of each API response: runs the scenario of one project against a real service, and writes the responses to
// `response-examples.json`. Run by `npm run examples`, which then runs `npm run openapi`.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { routes } from '../../src/http/routes.js';
import { EXAMPLES_FILE } from '../openapi/examples.js';
import { requestBooks } from './books.js';
import { createExampleProject, EMAIL, PASSWORD } from './example-project.js';
import { requestCustomers, simulateCustomers } from './customers.js';
import {
  requestCharts,
  requestMessages,
  requestMembers,
  requestSetup,
  requestDemo,
  requestAccount,
  requestDeletions,
  requestLiveFeed,
} from './member-requests.js';
import { startExampleService, type RecordedResponses, type ExampleService } from './example-service.js';
import { createTidying } from './tidy.js';

const START_MS = Date.parse('2026-09-01T09:00:00Z');
const NOW = '2026-11-20T10:00:00.000Z';

/**
 * Returns the text of the file. A route that the scenario does not request, such as an upload, keeps its former examples. Throws for one without
 * any, and if a request fails.
 */
export async function recordExamples(): Promise<string> {
  const recorded: RecordedResponses = new Map();
  await runScenario(recorded, requestAccount);
  await runScenario(recorded, requestDemo);
  await runScenario(recorded, async (stage) => {
    const ground = await createExampleProject(stage);
    await simulateCustomers(stage, ground);
    await stage.goOnTo(NOW);
    const { accessToken } = await stage.ask('POST /auth/login', { body: { email: EMAIL, password: PASSWORD } });
    ground.me.token = accessToken;
    await requestSetup(ground);
    await requestLiveFeed(stage, ground);
    await requestMessages(stage, ground);
    await requestCharts(stage, ground);
    await requestCustomers(stage, ground);
    await requestBooks(stage, ground);
    await requestMembers(stage, ground);
    await requestDeletions(stage, ground);
  });
  return fileOf(recorded);
}

async function runScenario(recorded: RecordedResponses, play: (stage: ExampleService) => Promise<void>): Promise<void> {
  const stage = await startExampleService(START_MS, recorded);
  try {
    await play(stage);
  } finally {
    await stage.close();
  }
}

/** Writes one line per route, so that a diff shows which routes have changed. */
function fileOf(recorded: RecordedResponses): string {
  const tidied = createTidying();
  const former = JSON.parse(readFileSync(EXAMPLES_FILE, 'utf8')) as Readonly<Record<string, object>>;
  const lines = routes.flatMap(({ method, path }) => {
    const route = `${method.toUpperCase()} ${path}`;
    const found = [...(recorded.get(route) ?? [])].sort(([a], [b]) => a - b);
    const examples = Object.fromEntries(found.map(([status, body]) => [status, tidied(body)]));
    if (found.length === 0 && !former[route]) throw new Error(`no example of ${route}: add a call in scripts/examples`);
    if (found.length === 0) return [`  ${JSON.stringify(route)}: ${JSON.stringify(former[route])}`];
    return [`  ${JSON.stringify(route)}: ${JSON.stringify(examples)}`];
  });
  return `{\n${lines.join(',\n')}\n}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(EXAMPLES_FILE, await recordExamples());
