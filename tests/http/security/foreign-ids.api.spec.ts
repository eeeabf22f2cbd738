// Ids of another project in bodies: for every route whose body names something by its id, each such id in turn is one of another
// project's. It is refused like an id of nobody, and nothing is written.
import { expect } from 'chai';
import { routes } from '../../../src/http/routes.js';
import { setUpProject } from '../support/harness.js';
import { expectRefusal, headOf } from '../support/refusal.js';
import { bodyOf, furnish, nameOf, pathOf, type Ground } from '../support/route-samples.js';
import { createManualClock } from '../support/manual-clock.js';
import { setUpHarness } from '../support/setup.js';

/** Returns the paths to the caller's own IDs in a body. */
function waysTo(
  value: unknown,
  ids: ReadonlySet<unknown>,
  way: readonly string[] = [],
): readonly (readonly string[])[] {
  if (ids.has(value)) return [way];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => waysTo(inner, ids, [...way, key]));
}

function replaced(value: unknown, way: readonly string[], by: (id: unknown) => unknown): unknown {
  const [key, ...rest] = way;
  if (key === undefined) return by(value);
  const inner = replaced((value as Record<string, unknown>)[key], rest, by);
  return Array.isArray(value)
    ? value.map((v, i) => (String(i) === key ? inner : v))
    : { ...(value as object), [key]: inner };
}

describe('ids of another project in a body', () => {
  const clock = createManualClock(Date.parse('2026-11-20T10:00:00.000Z'));
  const harness = setUpHarness({}, clock.runtime);
  let own: Ground;
  let other: Ground;
  before(async () => {
    own = await furnish(harness, await setUpProject(harness), clock.now());
    other = await furnish(harness, await setUpProject(harness), clock.now());
  });

  /** Own ids, with the other project's of the same kind. */
  const pairs = (): ReadonlyMap<unknown, string> => {
    const ids = (g: Ground) =>
      Object.entries(g).filter(([, v]) => typeof v === 'string' && /^[a-z]+_[0-9a-z]{26}$/.test(v));
    const theirs = new Map(ids(other));
    return new Map(ids(own).map(([field, id]) => [id, String(theirs.get(field))]));
  };

  it('are refused wherever a body may name something', async () => {
    const known = pairs();
    const tried: string[] = [];
    for (const route of routes.filter((r) => r.body !== null)) {
      const sample = bodyOf(route, own);
      for (const way of waysTo(sample, new Set(known.keys()))) {
        const body = replaced(bodyOf(route, own), way, (id) => known.get(id));
        const as = { token: own.token, headers: { 'x-project-id': own.projectId } };
        const byKey = route.access === 'sdkKey' ? { key: own.secretKey } : as;
        await harness.service().idle();
        const head = await headOf(harness);
        const response = await harness.call(route.method.toUpperCase(), pathOf(route, own), body, byKey);
        const about = `${nameOf(route)} with another’s ${way.join('.')}`;
        expect(response.status, about).to.be.oneOf([400, 404]);
        expectRefusal(response, response.status, about);
        expect(JSON.stringify(response.body), about).not.to.include(other.projectId);
        await harness.service().idle();
        expect(await headOf(harness), about).to.equal(head);
        tried.push(about);
      }
    }
    expect(tried.length, tried.join('\n')).to.be.at.least(8);
  }).timeout(120_000);
});
