// Sends the notifications of a file, one a line, so many at a time, each to be answered with 200. Arguments: address, file, in flight.
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';

/** From the first request to the last answer, `cpuMs` of this process. `endedAt`: of the last answer, ms since the epoch. */
export type Sent = { readonly count: number; readonly ms: number; readonly cpuMs: number; readonly endedAt: number };

const [, , target = '', file = '', inFlight = ''] = process.argv;
const bodies = readFileSync(file, 'utf8')
  .split('\n')
  .map((line) => Buffer.from(line));
const agent = new Agent({ keepAlive: true, maxSockets: Number(inFlight) });
const address = new URL(target);

function send(body: Buffer): Promise<void> {
  const headers = { 'content-type': 'application/json', 'content-length': body.length };
  return new Promise((resolve, reject) => {
    const sent = request(address, { method: 'POST', agent, headers }, (response) => {
      response.resume();
      response.once('error', reject);
      response.once('end', () => {
        if (response.statusCode === 200) resolve();
        else reject(new Error(`a notification was answered with ${response.statusCode}`));
      });
    });
    sent.once('error', reject);
    sent.end(body);
  });
}

let next = 0;
const caller = async () => {
  for (let body = bodies[next++]; body; body = bodies[next++]) await send(body);
};
const cpu = process.cpuUsage();
const start = performance.now();
await Promise.all(Array.from({ length: Number(inFlight) }, caller));
const ms = performance.now() - start;
const endedAt = Date.now();
const { user, system } = process.cpuUsage(cpu);
agent.destroy();
const sent: Sent = { count: bodies.length, ms, cpuMs: (user + system) / 1000, endedAt };
process.stdout.write(JSON.stringify(sent));
