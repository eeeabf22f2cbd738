// Mutations: bugs of the kind that a change of the service could introduce, put between its parts from outside. The simulation must find
// each.
import { randomUUID } from 'node:crypto';
import type { Doc, DocStore, Write } from '../../src/adapters/documents/port.js';
import type { EventLog } from '../../src/adapters/event-log/port.js';
import { deliveryBodyCollection, deliveryCollection } from '../../src/commands/webhooks/deliveries.js';
import { Unavailable } from '../../src/domain/errors.js';
import { endpointCollection } from '../../src/workers/webhooks/endpoints.js';
import { checkpointCollection } from '../../src/projections/runtime/runner.js';
import { withReads, withWrite, withWrites } from './intercept-documents.js';
import { withDelayedNotifications, type Mutation } from './mutation.js';

export const mutations: readonly Mutation[] = [
  {
    name: 'checkpoints that are saved before the documents',
    seed: 81,
    make: () => ({
      docs: (docs) =>
        withWrite(docs, async (stages) => {
          const isCheckpoint = (write: Write) => write.c === checkpointCollection.name;
          const first = stages.map((stage) => stage.filter(isCheckpoint));
          if (first.flat().length > 0 && (await docs.write(first)) === 'lost') return 'lost';
          return docs.write(stages.map((stage) => stage.filter((write) => !isCheckpoint(write))));
        }),
    }),
  },
  {
    name: 'deliveries that are marked as done before they are sent',
    seed: 6,
    make: () => ({
      docs: (docs) =>
        withWrites(docs, (write) =>
          write.c === deliveryCollection.name && write.doc?.['claimedBy'] != null
            ? { ...write, doc: { ...write.doc, state: 'delivered', gate: 'done' } }
            : write,
        ),
    }),
  },
  {
    name: 'random instead of derived IDs of events and commands',
    seed: 21,
    make: () => ({
      log: (log) => ({
        ...log,
        append: (stream, expected, events) =>
          log.append(
            stream,
            expected,
            events.map((e) => ({ ...e, id: randomUUID(), meta: { ...e.meta, commandId: randomUUID() } })),
          ),
      }),
    }),
  },
  {
    name: 'API keys that are not checked against their project',
    seed: 1,
    make: () => {
      let first: Doc[string];
      return {
        docs: (docs) =>
          withReads(docs, 'api_keys', (doc) => {
            first ??= doc?.['projectId'];
            return doc && { ...doc, projectId: first };
          }),
      };
    },
  },
  {
    name: 'API keys whose scopes are ignored',
    seed: 1,
    make: () => ({ docs: (docs) => withReads(docs, 'api_keys', (doc) => doc && { ...doc, scopes: [] }) }),
  },
  {
    name: 'members who are all treated as admins',
    seed: 1,
    make: () => ({ docs: (docs) => withReads(docs, 'memberships', (doc) => doc && { ...doc, role: 'admin' }) }),
  },
  {
    name: 'a cache of members that never expires',
    seed: 10,
    make: () => {
      const known = new Map<string, Doc>();
      return {
        docs: (docs) =>
          withReads(docs, 'memberships', (doc, id) => {
            if (doc && !known.has(id)) known.set(id, doc);
            return known.get(id) ?? doc;
          }),
      };
    },
  },
  {
    name: 'a cache of webhook endpoints that never expires',
    seed: 282,
    make: () => ({
      docs: (docs) => {
        const known = new Map<string, ReturnType<DocStore['scan']>>();
        return {
          ...docs,
          scan: (c, scan) => {
            if (c !== endpointCollection.name) return docs.scan(c, scan);
            const key = JSON.stringify(scan);
            const page = known.get(key) ?? docs.scan(c, scan);
            known.set(key, page);
            return page;
          },
        };
      },
    }),
  },
  {
    name: 'a personal field that is also stored in an index',
    seed: 7,
    make: () => {
      const spec = { name: 'search_terms', indexes: [] };
      let store: DocStore | undefined;
      return {
        docs: (docs) => (store = docs),
        log: (log) => ({
          ...log,
          append: async (stream, expected, events) => {
            const appended = await log.append(stream, expected, events);
            const terms = JSON.stringify(events).match(/canary-[a-z0-9-]+/g) ?? [];
            if (terms.length > 0) await store?.ensure([spec]);
            for (const term of new Set(terms))
              await store?.write([[{ c: spec.name, id: term, expect: null, guard: '1', doc: { term } }]]);
            return appended;
          },
        }),
      };
    },
  },
  {
    name: 'notifications that are acknowledged before they are stored',
    seed: 228,
    make: () => ({
      log: (log) => ({
        ...log,
        append: async (stream, expected, events) => {
          const isNew = events[0]?.type === 'StoreNotificationReceived';
          const appending = log.append(stream, expected, events);
          if (!isNew) return appending;
          appending.catch(() => undefined);
          return { revision: 0, position: await log.head() };
        },
      }),
    }),
  },
  {
    name: 'webhooks that fail after two attempts',
    seed: 6,
    make: () => ({ env: { WEBHOOK_RETRY_SCHEDULE_SECONDS: '0,1' } }),
  },
  {
    name: 'a log subscription that skips events',
    seed: 2,
    make: () => {
      let seen = 0;
      return {
        log: (log: EventLog) => ({
          ...log,
          async *follow(o) {
            for await (const feed of log.follow(o))
              yield { ...feed, events: feed.events.filter(() => ++seen % 97 !== 0) };
          },
        }),
      };
    },
  },
  {
    name: 'appends that store only their first event',
    seed: 11,
    make: () => ({
      log: (log) => ({
        ...log,
        append: (stream, expected, events) =>
          log.append(stream, expected, stream.startsWith('subscriber-') ? events.slice(0, 1) : events),
      }),
    }),
  },
  {
    name: 'an erasure that keeps webhook bodies',
    seed: 14,
    make: () => ({
      docs: (docs) =>
        withWrite(docs, (stages) =>
          docs.write(
            stages.map((stage) => stage.filter(({ c, doc }) => doc !== null || c !== deliveryBodyCollection.name)),
          ),
        ),
    }),
  },
  {
    name: 'an erasure that keeps the data key',
    seed: 7,
    make: () => ({
      engine: (engine) => ({ ...engine, dataKeys: { ...engine.dataKeys, erase: () => Promise.resolve() } }),
    }),
  },
  {
    name: 'an unavailable log that is treated as an internal error',
    seed: 23,
    make: () => ({
      log: (log) => ({
        ...log,
        append: (stream, expected, events) =>
          log.append(stream, expected, events).catch((err: unknown) => {
            throw err instanceof Unavailable ? new Error(err.message) : err;
          }),
      }),
    }),
  },
  {
    name: 'appends without a check of the expected revision',
    seed: 1,
    make: () => ({
      log: (log) => ({ ...log, append: (stream, _expected, events) => log.append(stream, 'any', events) }),
    }),
  },
  {
    name: 'notifications that are ordered by arrival instead of by store time',
    changeScript: withDelayedNotifications,
    seed: 196,
    make: () => ({
      log: (log) => ({
        ...log,
        append: (stream, expected, events) =>
          log.append(
            stream,
            expected,
            events.map((e) => {
              if (e.type !== 'StoreNotificationReceived') return e;
              const data = e.data as { readonly decoded: unknown };
              const text = JSON.stringify(data.decoded);
              const arrivedMs = String(Date.parse(e.meta.recordedAt));
              return {
                ...e,
                data: { ...data, decoded: JSON.parse(text.replace(/(?<="signedDate":)\d+/g, arrivedMs)) },
              };
            }),
          ),
      }),
    }),
  },
  {
    name: 'chart ledgers that are one batch late',
    seed: 1,
    make: () => {
      let [before, last] = ['', ''];
      return {
        charts: (docs) => ({
          ...docs,
          get: async (c, ids) => {
            const found = await docs.get(c, ids);
            const position = [...found].find(([id]) => id.startsWith('customer_histories'))?.[1].doc?.['position'];
            if (c === checkpointCollection.name && typeof position === 'string') [before, last] = [last, position];
            return found;
          },
          scan: async (c, scan) => {
            const page = await docs.scan(c, scan);
            if (scan.index !== 'position') return page;
            return { ...page, rows: page.rows.filter(({ doc }) => String(doc['position']) <= before) };
          },
        }),
      };
    },
  },
  {
    name: 'failed reads of a ledger that count as empty',
    seed: 1,
    make: () => {
      let reads = 0;
      return {
        charts: (docs) => ({
          ...docs,
          scan: async (c, scan) => (scan.index === 'position' && ++reads % 3 === 0 ? { rows: [] } : docs.scan(c, scan)),
        }),
      };
    },
  },
  {
    name: 'cached responses that are never invalidated',
    seed: 1,
    make: () => ({ docs: (docs) => ({ ...docs, local: docs.local && { ...docs.local, onWritten: () => undefined } }) }),
  },
  {
    name: 'delivery results that are written after another process took the delivery over',
    seed: 15,
    make: () => ({
      docs: (docs) =>
        withWrite(docs, async (stages) => {
          const claims = stages.flat().filter(({ c, doc }) => c === deliveryCollection.name && doc !== null);
          const found = await docs.get(
            deliveryCollection.name,
            claims.map(({ id }) => id),
          );
          return docs.write(
            stages.map((stage) =>
              stage.map((write) =>
                claims.includes(write) && write.expect !== null
                  ? { ...write, expect: found.get(write.id)?.guard ?? null }
                  : write,
              ),
            ),
          );
        }),
    }),
  },
];
