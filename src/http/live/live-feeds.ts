// Live feeds of this process. While there are readers, one subscription follows the log for all projects. Lines are offered to the readers
// of their project, who take them at their own pace.
import type { ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { EventLog } from '../../adapters/event-log/port.js';
import type { Runtime } from '../../adapters/runtime.js';
import { createKeyedMutex } from '../../commands/handling/keyed-mutex.js';
import type { PublishedAttempt } from '../../commands/webhooks/attempts.js';
import type { LogPosition, RecordedEvent } from '../../domain/envelope.js';
import type { FieldVisibility } from '../../domain/values/field-groups.js';
import { createLiveLines, liveFamilies, type LogLine } from '../../projections/queries/live-lines.js';
import { RedactableText } from '../bodies/response-schemas.js';
import { EventStream } from '../bodies/send-json.js';
import { HttpError } from '../bodies/errors.js';
import { createConnection, createReader, type LogLines, type Reader } from './reader.js';
import { lineOfAttempt, type LiveLine } from './lines.js';

export type LiveDeps = {
  readonly log: EventLog;
  readonly runtime: Pick<Runtime, 'now' | 'elapsed' | 'sleep'>;
  readonly logger: Logger;
};

type FeedRequest = {
  readonly projectId: string;
  /** Null to start now. Throws {@link HttpError} 400 for a position that is not in the log. */
  readonly after: LogPosition | null;
  readonly visibility: FieldVisibility;
  /** Credential of the reader: readers with the same one share an authorisation check. */
  readonly credential: string;
  /** Called about once a second. Returns the current visibility of the reader; null ends the feed. */
  readonly visibilityNow: () => Promise<FieldVisibility | null>;
};

export type Live = {
  /** Throws {@link HttpError} 429 if the project has too many readers. */
  open(o: FeedRequest): Promise<EventStream>;
  /** Publishes delivery attempts of any process. */
  publishAttempts(attempts: readonly PublishedAttempt[]): void;
  /** Returns whether there are readers: only then attempts of other processes are polled. */
  hasReaders(): boolean;
  /** Follows the log for the readers until the signal aborts. */
  follow(signal: AbortSignal): Promise<void>;
  /** Ends the feeds of readers who are no longer authorised; to be called about once a second. */
  check(): Promise<void>;
  /** Ends all feeds and refuses new ones. */
  close(): void;
};

/** Limit of readers per project and process. */
const MAX_READERS = 50;
/** Interval in which lines are written together: 50 readers of a busy project cost few writes. */
const BATCH_INTERVAL_MS = 40;
const MAX_BATCH = 256;
const HEARTBEAT_MS = 15_000;

type OpenFeed = Pick<FeedRequest, 'projectId' | 'credential' | 'visibilityNow'> & { readonly reader: Reader };

export function createLive({ log, runtime, logger }: LiveDeps): Live {
  const feeds = createOpenFeeds();
  const { linesOf, readLog } = createLineReader(log);
  let offeredUpTo: LogPosition | null = null;
  let isClosed = false;
  let nextHeartbeatAt = runtime.elapsed() + HEARTBEAT_MS;
  let pendingLines: LiveLine[] = [];

  const followWhileRead = async (signal: AbortSignal): Promise<void> => {
    const after = await log.head();
    offeredUpTo = after;
    const options = { after, families: liveFamilies, max: MAX_BATCH, signal };
    for await (const { events, upTo } of log.follow(options)) {
      for (const line of await linesOf(events, feeds.has)) feeds.offer(line);
      offeredUpTo = upTo;
      feeds.wakeAll();
      if (feeds.isEmpty()) return;
      await runtime.sleep(BATCH_INTERVAL_MS, signal);
    }
  };

  const run = async (one: OpenFeed): Promise<void> => {
    try {
      await one.reader.run();
    } catch (err) {
      const { projectId } = one;
      logger.warn({ projectId, stack: err instanceof Error ? err.stack : String(err) }, 'live feed ended');
      one.reader.end();
    }
  };

  const expectRoom = (projectId: string): void => {
    if (isClosed) throw new HttpError(503, 'the service is shutting down; retry in 1 second', 1);
    if (feeds.countOf(projectId) < MAX_READERS) return;
    throw new HttpError(429, `a project can have at most ${MAX_READERS} open live feeds; close another`, 10);
  };

  return {
    open: async ({ projectId, after, visibility, credential, visibilityNow }) => {
      const head = await log.head();
      if (after !== null && after > head)
        throw new HttpError(400, 'Last-Event-ID is not a position in this log; omit it to read from now on');
      expectRoom(projectId);
      const sink = createConnection(runtime);
      const options = { after: after ?? head, visibility, runtime, offeredUpTo: () => offeredUpTo };
      const reader = createReader({ ...options, sink, readLog: (from) => readLog(projectId, from) });
      const one: OpenFeed = { reader, projectId, credential, visibilityNow };
      feeds.enter(one);
      return new EventStream((res: ServerResponse) => {
        sink.connect(res);
        res.once('close', reader.end);
        if (res.destroyed || isClosed || res.req.method === 'HEAD') reader.end();
        void run(one).then(() => feeds.leave(one));
      });
    },
    publishAttempts: (attempts) => {
      const lines = attempts.filter(({ projectId }) => feeds.has(projectId)).map(lineOfAttempt);
      if (lines.length === 0) return;
      const isFirst = pendingLines.length === 0;
      pendingLines = [...pendingLines, ...lines].slice(-MAX_BATCH);
      if (!isFirst) return;
      void runtime.sleep(BATCH_INTERVAL_MS).then(() => {
        pendingLines.splice(0).forEach(feeds.offer);
        feeds.wakeAll();
      });
    },
    hasReaders: () => !feeds.isEmpty(),
    follow: async (signal) => {
      const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
      while (!signal.aborted) {
        const hasReader = feeds.nextEntry();
        if (feeds.isEmpty()) await Promise.race([hasReader, stopped]);
        try {
          if (!signal.aborted) await followWhileRead(signal);
        } finally {
          // Readers read the log themselves until it is followed again.
          offeredUpTo = null;
        }
      }
    },
    check: async () => {
      await feeds.checkAccess();
      if (runtime.elapsed() < nextHeartbeatAt) return;
      nextHeartbeatAt = runtime.elapsed() + HEARTBEAT_MS;
      for (const { reader } of feeds.all()) reader.sendHeartbeat();
    },
    close: () => {
      isClosed = true;
      for (const { reader } of feeds.all()) reader.end();
    },
  };
}

/** Open feeds, by project. */
function createOpenFeeds() {
  const byProject = new Map<string, Set<OpenFeed>>();
  let onEntry = (): void => undefined;
  const all = (): readonly OpenFeed[] => [...byProject.values()].flatMap((of) => [...of]);

  return {
    all,
    isEmpty: (): boolean => byProject.size === 0,
    has: (projectId: string): boolean => byProject.has(projectId),
    countOf: (projectId: string): number => byProject.get(projectId)?.size ?? 0,
    enter: (one: OpenFeed): void => {
      const ofProject = byProject.get(one.projectId) ?? new Set();
      byProject.set(one.projectId, ofProject.add(one));
      onEntry();
    },
    leave: (one: OpenFeed): void => {
      const ofProject = byProject.get(one.projectId);
      ofProject?.delete(one);
      if (ofProject?.size === 0) byProject.delete(one.projectId);
    },
    /** Resolves when the next feed is opened. Only the latest call is resolved. */
    nextEntry: (): Promise<void> => new Promise<void>((resolve) => (onEntry = resolve)),
    /** Offers a line to the readers of its project. Call `wakeAll` after the last. */
    offer: (line: LiveLine): void => {
      for (const { reader } of byProject.get(line.projectId) ?? []) reader.offer(line);
    },
    wakeAll: (): void => all().forEach(({ reader }) => reader.wake()),
    /** Ends the feeds of readers who are no longer authorised. */
    checkAccess: async (): Promise<void> => {
      const visibilities = new Map<string, Promise<FieldVisibility | null>>();
      const checks = all().map(async ({ reader, projectId, credential, visibilityNow }) => {
        const key = `${projectId} ${credential}`;
        const checked = visibilities.get(key) ?? visibilityNow();
        visibilities.set(key, checked);
        const visibility = await checked;
        if (visibility) reader.setVisibility(visibility);
        else reader.end();
      });
      await Promise.all(checks);
    },
  };
}

/** Lines of events of the log. */
function createLineReader(log: EventLog) {
  const lineOf = createLiveLines(log);
  const logReads = createKeyedMutex();

  const linesOf = async (events: readonly RecordedEvent[], isWanted: (projectId: string) => boolean) => {
    const found: LiveLine[] = [];
    for (const event of events) {
      const { projectId } = event.meta;
      const line = projectId === undefined || !isWanted(projectId) ? null : await lineOf(event);
      if (line) found.push(toLiveLine(line));
    }
    return found;
  };

  /** Readers that resume read the log one after another, so that they do not block other work. */
  const readLog = (projectId: string, after: LogPosition): Promise<LogLines> =>
    logReads.run('log', async () => {
      const reading = new AbortController();
      const options = { after, families: liveFamilies, max: MAX_BATCH, signal: reading.signal };
      for await (const { events, upTo } of log.follow(options))
        return { lines: await linesOf(events, (of) => of === projectId), upTo };
      return { lines: [], upTo: after };
    });

  return { linesOf, readLog };
}

function toLiveLine({ summaryFor, ...line }: LogLine): LiveLine {
  return { ...line, data: { ...line.data, summary: new RedactableText(summaryFor) } };
}
