// Memory that came from another thread, freed at once.
import { MessageChannel } from 'node:worker_threads';

const { port1: nowhere, port2: otherEnd } = new MessageChannel();
otherEnd.close();

/**
 * Left to the collector of garbage, megabytes of each answer count as in use until it runs, and then it runs for nothing else: several times
 * a second, and through all that the process keeps. Who hands memory over to a port without another end frees it. Nothing in it may be read
 * from then on.
 */
export function freeMemory(buffers: readonly ArrayBuffer[]): void {
  nowhere.postMessage(
    null,
    buffers.filter(({ byteLength }) => byteLength > 0),
  );
}
