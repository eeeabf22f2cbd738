// Subscriptions of one process share the server's pages: each gets every event once, in order.
import { expect } from 'chai';
import type { LogClient, ReadAllOptions, ServerEvent } from '../../../src/adapters/event-log/eventstoredb/client.js';
import type { Connection } from '../../../src/adapters/event-log/eventstoredb/connection.js';
import { createPageCache, createReader } from '../../../src/adapters/event-log/eventstoredb/reader.js';
import { Unavailable } from '../../../src/domain/errors.js';

describe('shared pages of the server', () => {
  const rigged = (count: number) => {
    const stored = Array.from({ length: count }, (_, i) => ({ position: { commit: BigInt(i + 1) } }) as ServerEvent);
    const reads: bigint[] = [];
    let growth = 0;
    const pages = createPageCache({
      growth: () => growth,
      read: async (from, maxCount) => {
        reads.push(from);
        return stored.filter((event) => event.position.commit >= from).slice(0, maxCount);
      },
    });
    const grow = () => {
      stored.push({ position: { commit: BigInt(stored.length + 1) } } as ServerEvent);
      growth++;
    };
    const places = async (from: number) => {
      const { events, isEnd } = await pages.after(BigInt(from));
      return { places: events.map((event) => Number(event.position.commit)), isEnd };
    };
    return { places, grow, reads };
  };
  const upTo = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i + 1);

  it('are read once for all who stand at one place', async () => {
    const { places, reads } = rigged(5);
    const all = await Promise.all([places(0), places(0), places(0)]);
    for (const page of all) expect(page).to.deep.equal({ places: upTo(0, 5), isEnd: true });
    expect(reads).to.deep.equal([0n]);
  });

  it('are read once for all who stand close together', async () => {
    const { places, reads } = rigged(5);
    const all = await Promise.all([places(0), places(1), places(3), places(2)]);
    expect(all.map((page) => page.places)).to.deep.equal([upTo(0, 5), upTo(1, 5), upTo(3, 5), upTo(2, 5)]);
    expect(all.every(({ isEnd }) => isEnd)).to.equal(true);
    // Those that waited look for the end of the log, together.
    expect(reads).to.deep.equal([0n, 5n]);
  });

  it('are served from memory to later readers, and their end is read again', async () => {
    const { places, grow, reads } = rigged(5);
    await places(0);
    grow();
    expect(await places(2)).to.deep.equal({ places: upTo(2, 6), isEnd: true });
    expect(reads).to.deep.equal([0n, 5n]);
  });

  it('do not report an end to a reader that came after the log had grown', async () => {
    const { places, grow } = rigged(5);
    const before = places(5);
    grow();
    const after = places(5);
    expect((await before).isEnd).to.equal(true);
    expect((await after).isEnd).to.equal(false);
    expect(await places(5)).to.deep.equal({ places: [6], isEnd: true });
  });

  it('continue over evicted ones', async () => {
    const { places } = rigged(7000);
    const seen: number[] = [];
    for (let isEnd = false; !isEnd;) {
      const page = await places(seen.at(-1) ?? 0);
      seen.push(...page.places);
      ({ isEnd } = page);
    }
    expect(seen).to.deep.equal(upTo(0, 7000));
    expect((await places(10)).places.slice(0, 3)).to.deep.equal([11, 12, 13]);
  });

  it('are requested again after a failed read', async () => {
    let isAway = true;
    const read = async (): Promise<ServerEvent[]> => {
      if (isAway) throw new Error('away');
      return [];
    };
    const pages = createPageCache({ growth: () => 0, read });
    expect(await pages.after(0n).catch((err: Error) => err.message)).to.equal('away');
    isAway = false;
    expect(await pages.after(0n)).to.deep.equal({ events: [], isEnd: true });
  });

  it('are read in smaller parts while the server is too slow for a whole one', async () => {
    const inTime = 300;
    const sizes: number[] = [];
    const read = async (from: bigint, maxCount: number): Promise<ServerEvent[]> => {
      sizes.push(maxCount);
      if (maxCount > inTime) throw new Unavailable('no response in time');
      return Array.from({ length: maxCount }, (_, i) => ({ position: { commit: from + BigInt(i) } }) as ServerEvent);
    };
    const pages = createPageCache({ growth: () => 0, read });
    const isRefused = (from: bigint) =>
      pages.after(from).then(
        () => false,
        (err: unknown) => err instanceof Unavailable,
      );
    expect([await isRefused(0n), await isRefused(0n)]).to.deep.equal([true, false]);
    let last = 0n;
    for (let attempts = 0; attempts < 20; attempts++) {
      const page = await pages.after(last).catch(() => null);
      last = page?.events.at(-1)?.position.commit ?? last;
    }
    expect(Number(last)).to.be.greaterThan(1000);
    expect(Math.min(...sizes)).to.be.greaterThan(50);
  });
});

describe('head of a log on the server', () => {
  /** Log whose newest event is followed by `others` events of another log, and the sizes of the pages that are read. */
  const rigged = (others: number) => {
    const eventAt = (i: number, streamId: string) => ({ streamId, position: { commit: BigInt(i) } }) as ServerEvent;
    const stored = [
      eventAt(1, 'ours.user-1'),
      ...Array.from({ length: others }, (_, i) => eventAt(i + 2, 'theirs.user-1')),
    ];
    const pageSizes: number[] = [];
    const readAll = ({ fromPosition, maxCount }: ReadAllOptions) => {
      pageSizes.push(maxCount);
      const before = typeof fromPosition === 'object' ? fromPosition.commit : BigInt(stored.length + 1);
      return stored
        .filter(({ position }) => position.commit < before)
        .toReversed()
        .slice(0, maxCount);
    };
    const client = { readAll } as unknown as LogClient;
    const connection = {
      collect: async (read: (from: LogClient) => unknown) => read(client),
    } as unknown as Connection;
    const names = { namespace: 'ours.', origin: 0n };
    const unused = { codec: {} as never, erased: async () => new Map<string, number>(), growth: () => 0 };
    return { pageSizes, head: createReader({ connection, names, ...unused }).head };
  };

  it('takes one small page where the newest event is ours', async () => {
    const { head, pageSizes } = rigged(3);
    expect(Number(await head())).to.equal(1);
    expect(pageSizes).to.deep.equal([4]);
  });

  it('takes larger pages beyond the events of other logs', async () => {
    const { head, pageSizes } = rigged(70);
    expect(Number(await head())).to.equal(1);
    expect(pageSizes).to.deep.equal([4, 32, 32, 32]);
  });
});
