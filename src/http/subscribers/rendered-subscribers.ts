// Bodies of subscribers as texts, since most are asked for again before anything in them changes. A text is kept up to the next instant
// at which time changes it, until something that it was made from is written (where this process writes all documents), or until the
// customer's guard has moved (where others write too). Only the date of the request is put in anew.
import { createWeightedCache } from '../../adapters/bounded-cache.js';
import type { DocStore } from '../../adapters/documents/port.js';
import type { Runtime } from '../../adapters/runtime.js';
import { entitlements, unlocks } from '../../projections/models/catalogue.js';
import { apps, projects } from '../../projections/models/projects.js';

/** Whose body it is, and how much of it the caller sees. */
export type Viewed = { readonly projectId: string; readonly appUserId: string; readonly view: string };

/** A body that is being made; what is written meanwhile makes it void. */
export type Rendering = { readonly name: string; readonly customerId: string; readonly view: string };

export type Rendered = {
  /** With its date. */
  readonly text: string;
  /** When it was made, and the first instant at which it may be another. */
  readonly from: string;
  readonly until: string;
  /** Of the customer's document. */
  readonly guard: string;
};

export type RenderedSubscribers = {
  /** With `now` as its date. Undefined for none that holds now; where others write too, also without the guard as it is now. */
  find(viewed: Viewed, now: string, guard?: string): string | undefined;
  /** Before anything is read for it. */
  begin(viewed: Viewed, customerId: string): Rendering;
  keep(rendering: Rendering, rendered: Rendered): void;
  /** Afterwards, kept or not. */
  end(rendering: Rendering): void;
  /** Call it when these read models have taken up a change. */
  forget(readModels: readonly { readonly name: string }[]): void;
  /** Others write the documents too. */
  readonly isShared: boolean;
};

/** Bytes; characters count as one. */
const MOST = 48 * 1024 * 1024;
/** What an entry takes besides its text, measured. */
const ENTRY = 600;
/** Where others write: as long as any process may go without noticing a change of the catalogue. */
const SHARED_MS = 1000;

/** A change of one of these may change any body. `serving`: another generation of a read model is read. */
const common = [unlocks, entitlements, apps, projects].map(({ name }) => name);
const SERVING = 'serving';

const before = (date: string) => `{"requestDate":"${date}",`;

/** One object each, since there are many: `next` is what others see of the same customer. */
type Entry = Omit<Rendered, 'text'> & {
  readonly customerId: string;
  readonly view: string;
  readonly rest: string;
  readonly freshUntil: number;
  readonly next: Entry | undefined;
};

/** `most`: bytes that are kept. */
export function createRenderedSubscribers(
  docs: Pick<DocStore, 'onWritten'>,
  { elapsed }: Pick<Runtime, 'elapsed'>,
  most = MOST,
): RenderedSubscribers {
  const isShared = docs.onWritten === undefined;
  const names = new Map<string, string>();
  const kept = createWeightedCache<string, Entry>(most, {
    weightOf: sizeOf,
    onGone: (name, { customerId }) => {
      if (names.get(customerId) === name) names.delete(customerId);
    },
  });
  /** Those under way, by customer. */
  const underWay = new Map<string, Set<Rendering>>();

  const clear = () => {
    kept.clear();
    underWay.clear();
  };
  const forgetCustomer = (customerId: string) => {
    const name = names.get(customerId);
    if (name !== undefined) kept.delete(name);
    underWay.delete(customerId);
  };
  docs.onWritten?.((c, ids) => {
    if (ids === null || c === SERVING || common.some((name) => c.startsWith(`${name}_v`))) clear();
    else ids.forEach(forgetCustomer);
  });

  const end = (rendering: Rendering) => {
    const others = underWay.get(rendering.customerId);
    const wasUnderWay = others?.delete(rendering) ?? false;
    if (others?.size === 0) underWay.delete(rendering.customerId);
    return wasUnderWay;
  };

  return {
    isShared,
    end,
    forget: (readModels) => {
      if (readModels.some(({ name }) => common.includes(name))) clear();
    },
    find: ({ projectId, appUserId, view }, now, guard) => {
      const entry = shownTo(view, kept.get(`${projectId}|${appUserId}`));
      if (!entry || now < entry.from || now >= entry.until) return undefined;
      if (isShared && (guard !== entry.guard || elapsed() >= entry.freshUntil)) return undefined;
      return before(now) + entry.rest;
    },
    begin: ({ projectId, appUserId, view }, customerId) => {
      const rendering = { name: `${projectId}|${appUserId}`, customerId, view };
      const others = underWay.get(customerId) ?? new Set();
      underWay.set(customerId, others.add(rendering));
      return rendering;
    },
    keep: (rendering, { text, from, until, guard }) => {
      const { name, customerId, view } = rendering;
      const start = before(from);
      if (!end(rendering) || until <= from || !text.startsWith(start)) return;
      const rest = text.slice(start.length);
      const next = without(view, kept.get(name));
      const entry = { customerId, view, rest, from, until, guard, freshUntil: elapsed() + SHARED_MS, next };
      if (kept.set(name, entry)) names.set(customerId, name);
    },
  };
}

function shownTo(view: string, first: Entry | undefined): Entry | undefined {
  let entry = first;
  while (entry && entry.view !== view) entry = entry.next;
  return entry;
}

function without(view: string, first: Entry | undefined): Entry | undefined {
  if (!first || first.view === view) return first?.next;
  return { ...first, next: without(view, first.next) };
}

function sizeOf(first: Entry): number {
  let size = 0;
  for (let entry: Entry | undefined = first; entry; entry = entry.next) size += ENTRY + entry.rest.length;
  return size;
}
