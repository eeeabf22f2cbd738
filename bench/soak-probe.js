// Preloaded into the service under soak test: on SIGUSR2 it collects garbage and appends a line with memory and resources to the file SOAK_PROBE.
import { appendFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

const file = process.env.SOAK_PROBE;
if (isMainThread && file !== undefined) {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  process.on('SIGUSR2', () => {
    collect();
    const held = { timers: 0, sockets: 0, others: 0 };
    for (const kind of process.getActiveResourcesInfo()) {
      if (kind === 'Timeout' || kind === 'Immediate') held.timers++;
      else if (/TCP|TLS|Pipe/.test(kind)) held.sockets++;
      else held.others++;
    }
    const { heapUsed, external } = process.memoryUsage();
    appendFileSync(file, `${JSON.stringify({ heapMb: (heapUsed + external) / 2 ** 20, ...held })}\n`);
  });
}
