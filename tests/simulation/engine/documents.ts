// One document store for all processes of a run, each of which accesses it through the fault injector.
import type { DocStore, ChangeListener, Write } from '../../../src/adapters/documents/port.js';
import type { Host, FaultInjector } from './fault-injector.js';

/**
 * Returns the store as one process sees it. `isLocal`: embedded storage, which applies a call atomically. Otherwise each document is a
 * write of its own, as on a server without transactions, and a crash or a failure can occur between two of them.
 */
export function connectDocuments(
  docs: DocStore,
  host: Host,
  faults: FaultInjector,
  { isLocal }: { readonly isLocal: boolean },
): DocStore {
  const { bulk, ...plain } = docs;
  const listeners: ChangeListener[] = [];
  const notifyWritten: ChangeListener = (c, ids) => listeners.forEach((listener) => listener(c, ids));
  const read = <T>(name: string, work: () => Promise<T>) => faults.run(host, 'docs', 'read', name, work);
  const write = <T>(name: string, work: () => Promise<T>) => faults.run(host, 'docs', 'write', name, work);
  const writeOne = (item: Write) => write(`write ${item.c} ${item.id} ${item.guard}`, () => plain.write([[item]]));
  const writeSeparately = async (stages: readonly (readonly Write[])[]) => {
    for (const stage of stages) {
      // The writes of a stage run concurrently: some may succeed although others fail.
      const written = await Promise.allSettled(stage.map(writeOne));
      for (const each of written) if (each.status === 'rejected') throw each.reason;
      if (written.some((each) => each.status === 'fulfilled' && each.value === 'lost')) return 'lost';
    }
    return 'ok';
  };
  const writeAtomically = (stages: readonly (readonly Write[])[]) =>
    write(
      `write ${stages
        .flat()
        .map(({ c, id, guard }) => `${c} ${id} ${guard}`)
        .join(', ')}`,
      async () => {
        const fits = async ({ c, id, expect }: Write) => ((await plain.get(c, [id])).get(id)?.guard ?? null) === expect;
        for (const item of stages.flat()) if (!(await fits(item))) return 'lost';
        return plain.write(stages);
      },
    );
  return {
    ensure: (specs) => read('ensure', () => plain.ensure(specs)),
    get: (c, ids) => read(`get ${c}`, () => plain.get(c, ids)),
    scan: (c, scan) => read(`scan ${c}`, () => plain.scan(c, scan)),
    drop: (c) => write(`drop ${c}`, () => plain.drop(c)).finally(() => notifyWritten(c, null)),
    write: (stages) => {
      if (!stages.some((stage) => stage.length > 0)) return Promise.resolve('ok');
      if (!isLocal) return writeSeparately(stages);
      // A failed write may have been applied.
      return writeAtomically(stages).finally(() => stages.flat().forEach(({ c, id }) => notifyWritten(c, [id])));
    },
    local: isLocal ? { onWritten: (listener) => void listeners.push(listener), probe: () => Promise.resolve() } : null,
    bulk:
      isLocal && bulk
        ? {
            ...bulk,
            begin: (specs) => write('begin', () => bulk.begin(specs)),
            put: (rows) => write(`put ${rows.length}`, () => bulk.put(rows)),
            finish: (specs) => write('finish', () => bulk.finish(specs)),
          }
        : null,
  };
}
