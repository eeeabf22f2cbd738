// A request that names the position of a write: nothing is read before the read models show it, not even keys and memberships.
import { expect } from 'chai';
import { authorize } from '../../../src/http/dispatch/authorize.js';
import { waitForPosition } from '../../../src/http/dispatch/consistency.js';
import type { Services } from '../../../src/http/dispatch/services.js';
import type { LogPosition } from '../../../src/domain/envelope.js';
import { projections } from '../../../src/projections/rebuild/registry.js';
import { createProgress } from '../../../src/projections/runtime/progress.js';

const at = (n: number) => String(n).padStart(20, '0') as LogPosition;

function rig() {
  const progress = createProgress();
  let membership: { role: string } | null = null;
  const show = (position: LogPosition) => {
    membership = { role: 'owner' };
    for (const { name } of projections) progress.reportPosition(name, position);
  };
  // Time is over once everything else has had its turn.
  const sleep = (_ms: number, signal?: AbortSignal) =>
    new Promise<void>((resolve) => {
      signal?.addEventListener('abort', () => resolve(), { once: true });
      setTimeout(resolve, 20);
    });
  const services = {
    progress,
    runtime: { sleep, now: Date.now },
    accessTokens: { verify: async (token: string) => (token === 'valid' ? { userId: 'usr_a' } : null) },
    readModels: { getDerived: async () => membership },
    cached: { get: () => undefined, getMany: async () => new Map() },
  } as unknown as Services;
  return { progress, services, show };
}
const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (err: { status?: number; retryAfterSeconds?: number }) => [err.status, err.retryAfterSeconds],
  );
const project = { pathProjectId: 'proj_a', headerProjectId: undefined, isRegisteredKey: false } as const;
const route = { access: 'project', permission: 'readCustomers' } as const;

describe('a request with X-Position', () => {
  it('finds a membership that the read models show only after a wait', async () => {
    const { services, show } = rig();
    const credentials = { ...project, authorization: 'Bearer valid', apiKey: undefined };
    const authorizing = authorize(services, route, credentials, () => waitForPosition(services, at(5)));
    setImmediate(() => show(at(5)));
    expect(await authorizing).to.deep.include({ scope: { projectId: 'proj_a', role: 'owner' } });
  });

  it('is refused with 503 and a time to retry when the read models do not reach the position', async () => {
    const { services, show } = rig();
    show(at(4));
    const credentials = { ...project, authorization: 'Bearer valid', apiKey: undefined };
    const authorizing = authorize(services, route, credentials, () => waitForPosition(services, at(5)));
    expect(await failureOf(Promise.resolve(authorizing))).to.deep.equal([503, 1]);
  });

  it('does not wait for a request with an invalid token', async () => {
    const { services } = rig();
    const credentials = { ...project, authorization: 'Bearer forged', apiKey: undefined };
    const wait = () => Promise.reject(new Error('waited'));
    expect(await failureOf(Promise.resolve(authorize(services, route, credentials, wait)))).to.deep.equal([
      401,
      undefined,
    ]);
  });

  it('does not wait for read models that have halted, also while it waits', async () => {
    const { progress, services, show } = rig();
    const [halted, other] = projections.map(({ name }) => name);
    progress.reportHalted(halted ?? '', '2026-01-01T00:00:00.000Z', at(3));
    const waiting = waitForPosition(services, at(2));
    setImmediate(() => {
      progress.reportHalted(other ?? '', '2026-01-01T00:00:00.000Z', at(3));
      show(at(2));
    });
    expect(await failureOf(waiting)).to.equal(null);
  });
});
