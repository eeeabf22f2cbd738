// Thousands of calls of the tools for assistants, built from their schemas with whatever a hostile text could put into each place. Each is
// answered or refused with a sentence, shows nothing of another project, and keeps nobody waiting. SEED=<number> plays a run again,
// CALLS=<number> makes it longer.
import { expect } from 'chai';
import fc from 'fast-check';
import { connect, playHistory, type Assistant } from '../mcp/setup.js';
import { chance } from '../../projections/support/seeded-random.js';
import type { Json } from '../support/harness.js';
import { watchLoop, type LoopWatch } from '../support/loop-watch.js';
import { setUpService } from '../support/setup.js';
import { valueOf, type JsonSchema } from './from-schema.js';
import { oddValues } from './mutations.js';

const CALLS = Number(process.env['CALLS'] ?? 600);
/** Stands in whatever the other project has of its own. */
const OF_ANOTHER = 'CANARYofanother';
const INVALID_PARAMS = -32_602;
const MAX_ANSWER_BYTES = 256 * 1024;

describe('any call of a tool', function () {
  this.timeout(600_000);
  const { harness, slice, as } = setUpService({ MCP: 'true', RATE_LIMITS: 'off' });
  const { seed } = chance();
  let assistant: Assistant;
  let watch: LoopWatch;
  let ids: readonly string[];
  before(async () => {
    const { customer, customerId, transactionId, webhookId } = await playHistory(harness, slice);
    const { body: other } = await harness.call('POST', '/v1/projects', { name: OF_ANOTHER }, { token: slice.token });
    const app = { name: OF_ANOTHER, platform: 'ios', bundleId: 'com.example.another' };
    const { body } = await harness.call('POST', `/v1/projects/${other.id}/apps`, app, { token: slice.token });
    ids = [customer, customerId, transactionId, webhookId, slice.appId, slice.projectId, other.id, body.id, 'pro'];
    assistant = await connect(harness, as.key);
    await harness.service().idle();
    watch = watchLoop();
  });
  after(() => watch.close());

  it(`is answered soon, or refused with a sentence (${CALLS} calls, seed ${seed})`, async () => {
    const { tools } = (await assistant.client.listTools()) as {
      tools: readonly { name: string; inputSchema: object }[];
    };
    const odd = oddValues(ids);
    const calls = tools.map(({ name, inputSchema }) =>
      fc.record({ name: fc.constant(name), input: valueOf(inputSchema as JsonSchema, odd) }),
    );
    const counts = { answers: 0, refusals: 0 };
    const property = fc.asyncProperty(fc.oneof(...calls), async ({ name, input }) => {
      const about = `${name} ${JSON.stringify(input)}`;
      const result: Json = await watch.during(about, () =>
        assistant.call(name, Object(input)).catch((err: { code?: unknown }) => {
          const isTooDeep = String(err).includes('the body is nested deeper than 32 levels');
          if (!isTooDeep) expect(err.code, `${about}: ${String(err)}`).to.equal(INVALID_PARAMS);
          return { isError: true, content: [{ text: 'invalid' }] };
        }),
      );
      const text = JSON.stringify(result);
      expect(text, about).not.to.include(OF_ANOTHER);
      expect(text.length, about).to.be.below(MAX_ANSWER_BYTES);
      if (result.isError)
        expect(result.content[0].text, about)
          .to.be.a('string')
          .and.not.match(/internal|\n +at /i);
      counts[result.isError ? 'refusals' : 'answers']++;
    });
    await fc.assert(property, { numRuns: CALLS, seed });
    expect(counts.answers, 'answers').to.be.above(CALLS / 50);
    expect(counts.refusals, 'refusals').to.be.above(CALLS / 50);
  });
});
