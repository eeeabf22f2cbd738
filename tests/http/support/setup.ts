// Hooks that start a service for the tests of one `describe`, and make its project. What they return is filled before the first test.
import { setUpProject, startHarness, type Harness, type Slice } from './harness.js';

/** Call it in a `describe`: starts one service for its tests, with the arguments of `startHarness`. */
export function setUpHarness(...args: Parameters<typeof startHarness>): Harness {
  const harness = {} as Harness;
  before(async () => void Object.assign(harness, await startHarness(...args)));
  after(() => harness.stop());
  return harness;
}

/** Call it in a `describe`: starts one service with one project for its tests. `as` is its secret key, `asMember` its user. */
export function setUpService(...args: Parameters<typeof startHarness>) {
  const harness = setUpHarness(...args);
  const project = emptyProject();
  before(async () => project.fill(await setUpProject(harness)));
  return { harness, ...project.parts };
}

/** Call it in a `describe`: starts one service for its tests, and creates a project for each test. */
export function setUpServiceWithFreshProjects(...args: Parameters<typeof startHarness>) {
  const harness = setUpHarness(...args);
  const project = emptyProject();
  beforeEach(async () => project.fill(await setUpProject(harness)));
  return { harness, ...project.parts };
}

function emptyProject() {
  const parts = { slice: {} as Slice, as: { key: '' }, asMember: { token: '' } };
  const fill = (slice: Slice) => {
    Object.assign(parts.slice, slice);
    parts.as.key = slice.secretKey;
    parts.asMember.token = slice.token;
  };
  return { parts, fill };
}
