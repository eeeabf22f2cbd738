// Lets several users of one document store run at once, write by write, in an order that chance decides.
import type { DocStore } from '../../../src/adapters/documents/port.js';
import type { Chance } from './seeded-random.js';

/** Each read and each single write waits for its turn; inside a write it is as in a store without transactions. */
export function stepped(docs: DocStore, random: Chance): DocStore {
  const waiting: (() => void)[] = [];
  const turn = () =>
    new Promise<void>((resolve) => {
      waiting.push(resolve);
      setImmediate(() => waiting.splice(random.below(waiting.length), 1)[0]?.());
    });
  return {
    ...docs,
    get: async (c, ids) => {
      await turn();
      return docs.get(c, ids);
    },
    scan: async (c, scan) => {
      await turn();
      return docs.scan(c, scan);
    },
    write: async (stages) => {
      for (const stage of stages) {
        let lost = false;
        for (const write of stage) {
          await turn();
          if ((await docs.write([[write]])) === 'lost') lost = true;
        }
        if (lost) return 'lost';
      }
      return 'ok';
    },
  };
}
