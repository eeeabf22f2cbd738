// Verifies the notifications of a file, one per line, twice, and prints the result of the second time. Arguments: file, root certificate
// (PEM), number of concurrent verifications.
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createIosSignedData } from '../src/adapters/ios-store/signed-data.js';
import { systemRuntime } from '../src/adapters/runtime.js';

/** `cpuMs` is the processor time of all threads of this process. */
export type VerificationResult = { readonly count: number; readonly ms: number; readonly cpuMs: number };

const [, , file = '', rootFile = '', inFlight = ''] = process.argv;
const roots = [new X509Certificate(readFileSync(rootFile)).raw];
const verifier = createIosSignedData({ roots, onlineChecks: false, runtime: systemRuntime() });
const signed = readFileSync(file, 'utf8').split('\n');

async function verifyAll(): Promise<VerificationResult> {
  const cpu = process.cpuUsage();
  const start = performance.now();
  let next = 0;
  const one = async () => {
    for (let text = signed[next++]; text; text = signed[next++]) {
      const { signedPayload }: { signedPayload: string } = JSON.parse(text);
      await verifier.verifyNotification(signedPayload);
    }
  };
  await Promise.all(Array.from({ length: Number(inFlight) }, one));
  const ms = performance.now() - start;
  const { user, system } = process.cpuUsage(cpu);
  return { count: signed.length, ms, cpuMs: (user + system) / 1000 };
}

await verifyAll();
process.stdout.write(JSON.stringify(await verifyAll()));
