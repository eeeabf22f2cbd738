// Runs in a worker thread: builds read models from the log, which it reads on its own connection. It writes through the main thread, which
// has the file's only writer.
import { parentPort, workerData } from 'node:worker_threads';
import { openDocumentsInThread, type ApplyOperation } from '../../adapters/documents/embedded/store.js';
import { openEngineFiles, type EngineFiles } from '../../adapters/engine/engine.js';
import { readNamingKey } from '../../adapters/engine/hash-key.js';
import { systemRuntime } from '../../adapters/runtime.js';
import type { LogPosition } from '../../domain/envelope.js';
import { CannotFold } from '../../domain/errors.js';
import { keyedHash } from '../../domain/ids.js';
import { bulkBuild } from '../../projections/rebuild/bulk-build.js';
import { projections } from '../../projections/rebuild/registry.js';
import type { Build } from '../../projections/runtime/projection.js';
import { sealPersonalFields } from '../personal-fields.js';

/** Data of the thread. `target` is the file of the built documents. */
export type BuildThreadData = {
  readonly files: EngineFiles;
  readonly target: string;
  readonly builds: readonly { readonly name: string; readonly generation: number }[];
  readonly upTo: LogPosition;
  readonly purpose: string | undefined;
};

type Operation = Parameters<ApplyOperation>[0];
type ApplyResult = Awaited<ReturnType<ApplyOperation>>;
export type FromBuildThread =
  | { readonly kind: 'apply'; readonly id: number; readonly operation: Operation }
  | { readonly kind: 'progress'; readonly done: number; readonly total: number }
  | { readonly kind: 'ended' }
  | { readonly kind: 'failed'; readonly message: string; readonly stack: string; readonly isOfFold: boolean };
export type ToBuildThread =
  { readonly id: number; readonly result: ApplyResult } | { readonly id: number; readonly failed: string } | 'stop';

type PendingApply = { readonly resolve: (result: ApplyResult) => void; readonly reject: (err: Error) => void };

/** Builds the read models and sends a message with the result. */
export async function buildHere(): Promise<void> {
  const port = parentPort;
  if (!port) throw new Error('the build thread must run in a worker thread');
  const send = (message: FromBuildThread) => port.postMessage(message);
  const stopping = new AbortController();
  const waiting = new Map<number, PendingApply>();
  let sent = 0;
  port.on('message', (message: ToBuildThread) => {
    if (message === 'stop') return stopping.abort();
    const { resolve, reject } = waiting.get(message.id) ?? {};
    waiting.delete(message.id);
    if ('failed' in message) reject?.(new Error(message.failed));
    else resolve?.(message.result);
  });
  const apply: ApplyOperation = (operation) =>
    new Promise((resolve, reject) => {
      waiting.set(++sent, { resolve, reject });
      send({ kind: 'apply', id: sent, operation });
    });
  try {
    await build(workerData, apply, stopping.signal, (done, total) => send({ kind: 'progress', done, total }));
    send({ kind: 'ended' });
  } catch (err) {
    const { message, stack = message } = err instanceof Error ? err : new Error(String(err));
    send({ kind: 'failed', message, stack, isOfFold: err instanceof CannotFold });
  }
}

async function build(
  { files, target, builds, upTo, purpose }: BuildThreadData,
  apply: ApplyOperation,
  signal: AbortSignal,
  onProgress: (done: number, total: number) => void,
): Promise<void> {
  const runtime = systemRuntime();
  const engine = await openEngineFiles(files, runtime);
  const opened = openDocumentsInThread({ file: target, apply });
  const docs = sealPersonalFields(opened, engine.dataKeys, runtime);
  try {
    const key = await readNamingKey(engine.dataKeys);
    if (!key) throw new Error(`${files.documents} contains no naming key`);
    const withProjections = builds.map(({ name, generation }): Build => {
      const projection = projections.find((p) => p.name === name);
      if (!projection) throw new Error(`unknown read model ${name}`);
      return { projection, generation };
    });
    const o = { signal, upTo, onProgress, ...(purpose !== undefined && { purpose }) };
    await bulkBuild({ log: engine.log, docs, hash: keyedHash(key), runtime }, withProjections, o);
  } finally {
    await opened.close();
    await engine.close();
  }
}
