// Faults of the kind that a change of the service could bring in, put between its parts from outside. The simulation must find each.
import { randomUUID } from 'node:crypto';
import type { Doc, DocStore, Write } from '../../src/adapters/documents/port.js';
import type { EventLog } from '../../src/adapters/event-log/port.js';
import { deliveryBodyCollection, deliveryCollection } from '../../src/commands/webhooks/deliveries.js';
import { Unavailable } from '../../src/domain/errors.js';
import { endpointCollection } from '../../src/workers/webhooks/endpoints.js';
import { checkpointCollection } from '../../src/projections/runtime/runner.js';
import { withReads, withWrite, withWrites } from './tampering.js';
import { heldBack, type Plant } from './planting.js';

export const plants: readonly Plant[] = [
  {
    name: 'a checkpoint is saved before the documents',
    seed: 19,
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
    name: 'a delivery is written down as done before it is sent',
    seed: 5,
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
    name: 'events and commands are named at random',
    seed: 17,
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
    name: 'a key is not checked against its project',
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
    name: 'a key may all, whatever its scopes',
    seed: 1,
    make: () => ({ docs: (docs) => withReads(docs, 'api_keys', (doc) => doc && { ...doc, scopes: [] }) }),
  },
  {
    name: 'every member is taken for an admin',
    seed: 1,
    make: () => ({ docs: (docs) => withReads(docs, 'memberships', (doc) => doc && { ...doc, role: 'admin' }) }),
  },
  {
    name: 'who is a member is remembered for ever',
    seed: 5,
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
    name: 'the endpoints of a project are remembered for ever',
    seed: 172,
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
    name: 'a sealed field is in an index as well',
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
    name: 'a notification is acknowledged before it is stored',
    seed: 42,
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
    name: 'webhooks are given up after two attempts',
    seed: 6,
    make: () => ({ env: { WEBHOOK_RETRY_SCHEDULE_SECONDS: '0,1' } }),
  },
  {
    name: 'a follower misses an event now and then',
    seed: 1,
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
    name: 'of an append of several events only the first is stored',
    seed: 9,
    make: () => ({
      log: (log) => ({
        ...log,
        append: (stream, expected, events) =>
          log.append(stream, expected, stream.startsWith('subscriber-') ? events.slice(0, 1) : events),
      }),
    }),
  },
  {
    name: 'an erasure leaves what was sent',
    seed: 8,
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
    name: 'an erasure leaves the data key',
    seed: 3,
    make: () => ({
      engine: (engine) => ({ ...engine, dataKeys: { ...engine.dataKeys, erase: () => Promise.resolve() } }),
    }),
  },
  {
    name: 'a log that is away is taken for a bug',
    seed: 21,
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
    name: 'an append does not mind what others have appended since it was decided',
    seed: 1,
    make: () => ({
      log: (log) => ({ ...log, append: (stream, _expected, events) => log.append(stream, 'any', events) }),
    }),
  },
  {
    name: 'the order of arrival counts and not that of the store',
    within: heldBack,
    seed: 30,
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
    name: 'the ledgers of the charts are one batch behind',
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
    name: 'what a ledger cannot read is taken for not there',
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
    name: 'kept bodies outlive what they were made from',
    seed: 1,
    make: () => ({ docs: (docs) => ({ ...docs, local: docs.local && { ...docs.local, onWritten: () => undefined } }) }),
  },
  {
    name: 'who has lost a delivery to another process writes it all the same',
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
