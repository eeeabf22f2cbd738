// Sends the notifications of a file, one per line, and requires a 200 for each. Arguments: URL, file, number of concurrent requests.
import { readFileSync } from 'node:fs';
import { Pool } from 'undici';

/**
 * `ms` is the time from the first request to the last response, `cpuMs` the processor time of this process, `endedAt` the time of the last
 * response in ms since the epoch.
 */
export type SendResult = {
  readonly count: number;
  readonly ms: number;
  readonly cpuMs: number;
  readonly endedAt: number;
};

const [, , target = '', file = '', inFlight = ''] = process.argv;
const bodies = readFileSync(file, 'utf8')
  .split('\n')
  .map((line) => Buffer.from(line));
const address = new URL(target);
const pool = new Pool(address.origin, { connections: Number(inFlight) });
const headers = ['content-type', 'application/json'];

/** Does as little as possible per request, because the sender shares the cores with the measured service. */
function send(body: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    let status = 0;
    pool.dispatch(
      { path: address.pathname, method: 'POST', headers, body },
      {
        onConnect: () => undefined,
        onHeaders: (statusCode) => {
          status = statusCode;
          return true;
        },
        onData: () => true,
        onComplete: () => {
          if (status === 200) resolve();
          else reject(new Error(`a notification was answered with ${status}`));
        },
        onError: reject,
      },
    );
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
await pool.close();
const sent: SendResult = { count: bodies.length, ms, cpuMs: (user + system) / 1000, endedAt };
process.stdout.write(JSON.stringify(sent));
