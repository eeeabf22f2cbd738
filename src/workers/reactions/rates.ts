// Conversion with late exchange rates: charges without a USD value get one when their rates are imported, once each.
import type { Scan } from '../../adapters/documents/port.js';
import { scanPages } from '../../adapters/documents/records.js';
import { fillInUsdValue } from '../../commands/catalog/exchange-rates.js';
import type { Deps } from '../../commands/handling/deps.js';
import { waitAtMost, type Progress } from '../../projections/runtime/progress.js';
import { transactions, type UnconvertedDoc } from '../../projections/models/transactions.js';
import type { ReadModels } from '../../projections/queries/read-models.js';
import type { Reaction } from './reaction.js';
import { ofFamily } from '../../domain/vocabulary.js';

const PAGE = 200;
/** Longer than the lag of a read model; charges missed anyway are converted with the next day's rates. */
const READ_MODEL_WAIT_MS = 5000;

export function ratesReaction(deps: Deps, readModels: ReadModels, progress: Progress): Reaction {
  return {
    name: 'rates',
    families: ['rates'],
    serialKeyOf: (stored) => (ofFamily(stored, 'rates') ? stored.stream : null),
    handle: async (event, onOutcome) => {
      // One scan for all days of a file: only the last of them is followed by no other.
      for await (const later of deps.log.read(event.stream, event.revision)) if (later) return;
      const { runtime } = deps;
      await waitAtMost(
        READ_MODEL_WAIT_MS,
        { progress, runtime, isBackground: true },
        [transactions.name],
        event.position,
      );
      const all = { index: 'id', eq: [], limit: PAGE };
      const read = (scan: Scan) =>
        readModels.scanDerived<UnconvertedDoc>(transactions, 'unconverted_transactions', scan);
      for await (const rows of scanPages(all, read)) {
        for (const { doc } of rows) await fillInUsdValue(deps, doc, event.id);
        onOutcome?.();
      }
    },
  };
}
