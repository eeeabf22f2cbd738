// A store's report as it arrives: its parts in order, then the whole. A repeat of a part or of the whole changes nothing.
import type { Decider } from '../decider.js';
import { booksEvents as e, type ReceivedReport, type ReportEvent } from './events.js';

export type ReportState = { readonly parts: number; readonly received: ReceivedReport | null };

export type ReportCommand =
  | {
      readonly kind: 'addPart';
      readonly projectId: string;
      readonly reportId: string;
      readonly part: number;
      readonly rows: string;
    }
  | { readonly kind: 'receive'; readonly report: ReceivedReport };

export const reportDecider: Decider<ReportState, ReportCommand, ReportEvent> = {
  initial: () => ({ parts: 0, received: null }),
  evolve: (state, event) =>
    event.type === 'StoreReportReceived'
      ? { ...state, received: event.data }
      : { ...state, parts: Math.max(state.parts, event.data.part + 1) },
  decide: (command, state) => {
    if (state.received) return [];
    if (command.kind === 'receive') return [e.StoreReportReceived.of(command.report)];
    const { kind: _kind, ...part } = command;
    return command.part < state.parts ? [] : [e.StoreReportPartReceived.of(part)];
  },
};
