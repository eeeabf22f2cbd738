// Memory that came from another thread, freed at once.
import { MessageChannel, type MessagePort } from 'node:worker_threads';

let nowhere: MessagePort | undefined;

/**
 * Left to the collector of garbage, megabytes of each answer count as in use until it runs, and then it runs for nothing else: several times
 * a second, and through all that the process keeps. Who hands memory over to a port without another end frees it. Nothing in it may be read
 * from then on.
 */
export function freeMemory(buffers: readonly ArrayBuffer[]): void {
  nowhere ??= portToNowhere();
  nowhere.postMessage(
    null,
    buffers.filter(({ byteLength }) => byteLength > 0),
  );
}

function portToNowhere(): MessagePort {
  const { port1, port2 } = new MessageChannel();
  port2.close();
  return port1;
}
