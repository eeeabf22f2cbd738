// Checks reads: processes that ran through all faults return the same as processes that have just started with empty caches.
import type { Response } from '../engine/http.js';
import type { Process } from '../engine/process.js';
import type { Simulation } from '../scenario/simulation.js';
import { TENANTS } from '../scenario/tenant.js';

/** Time after a start until the process's own writes are readable. */
const START_UP_MS = 2000;
const DAY_MS = 86_400_000;

type ReadResult = { readonly process: string; readonly request: string; readonly text: string };

export async function checkReads(simulation: Simulation): Promise<string[]> {
  const { timeline } = simulation;
  const fromMs = timeline.now();
  const before = await readSubscribers(simulation);
  await simulation.restart();
  await timeline.advance(START_UP_MS);
  const after = new Map((await readSubscribers(simulation)).map(({ request, text }) => [request, text]));
  const untilMs = timeline.now();
  // A read on another day changes the last-seen date.
  if (Math.floor(fromMs / DAY_MS) !== Math.floor(untilMs / DAY_MS)) return [];
  /** Returns true if the text contains an instant between the two reads: time alone changes it. */
  const changesWithTime = (text: string) =>
    (text.match(/\d{4}-\d\d-\d\dT[\d:.]+Z/g) ?? []).some((iso) => {
      const ms = Date.parse(iso);
      return ms > fromMs && ms <= untilMs;
    });
  return before.flatMap(({ process, request, text }) => {
    const fresh = after.get(request) ?? 'nothing';
    return text === fresh || changesWithTime(text) || changesWithTime(fresh)
      ? []
      : [`${process} returns for ${request}: ${text.slice(0, 1500)}; after a restart: ${fresh.slice(0, 1500)}`];
  });
}

/** Checks read-your-writes: on the same process at once, on others with the position from the response. */
export async function checkOwnWrites(simulation: Simulation): Promise<string[]> {
  const { script, tenants, journal, timeline } = simulation;
  const findings: string[] = [];
  const [writer] = simulation.running();
  for (const tenant of TENANTS) {
    const user = script.lifecycles[tenant].find(
      ({ appUserId }) =>
        appUserId !== null && !journal.erasures.some((e) => e.tenant === tenant && e.user === appUserId),
    )?.appUserId;
    if (!user || !writer) continue;
    const { secretKey: key } = tenants[tenant];
    const path = `/v1/subscribers/${user}`;
    for (let n = 0; n < 2; n++) {
      const value = `own write ${n}`;
      await simulation.awaitInTime(ask(simulation, writer, path, key));
      const body = { attributes: { own: { value, updatedAtMs: timeline.now() } } };
      const written = await simulation.awaitInTime(
        simulation.client.send({ method: 'POST', path: `${path}/attributes`, key, body }, writer),
      );
      if (written === null || written.status >= 300) {
        findings.push(`an attribute of ${tenant} ${user} was refused without faults: ${written?.status}`);
        continue;
      }
      const position = { 'x-position': String(written.headers['x-position']) };
      for (const process of simulation.running()) {
        const response = await simulation.awaitInTime(
          ask(simulation, process, path, key, process === writer ? {} : position),
        );
        const actual = response?.body.subscriber?.attributes?.own?.value;
        if (actual !== value)
          findings.push(`${process.host.name} returns ${actual} for ${tenant} ${user} after ${value} was stored`);
      }
    }
  }
  return findings;
}

async function readSubscribers(simulation: Simulation): Promise<readonly ReadResult[]> {
  const { script, tenants, journal } = simulation;
  const results: ReadResult[] = [];
  for (const tenant of TENANTS) {
    const users = new Set(script.lifecycles[tenant].flatMap(({ appUserId }) => appUserId ?? []));
    for (const user of users) {
      if (journal.erasures.some((e) => e.tenant === tenant && e.user === user)) continue;
      const { publicKeys, secretKey } = tenants[tenant];
      for (const [kind, key] of Object.entries({ ios: publicKeys.ios, secret: secretKey }))
        for (const process of simulation.running()) {
          const response = await simulation.awaitInTime(ask(simulation, process, `/v1/subscribers/${user}`, key));
          results.push({ process: process.host.name, request: `${tenant} ${user} (${kind})`, text: textOf(response) });
        }
    }
  }
  return results;
}

/** Returns the first response; repeats a request without one. */
async function ask(
  { client }: Simulation,
  process: Process,
  path: string,
  key: string,
  headers: Record<string, string> = {},
): Promise<Response | null> {
  for (let tries = 0; tries < 5; tries++) {
    const response = await client.send({ method: 'GET', path, key, headers }, process);
    if (response && response.status < 500) return response;
  }
  return null;
}

function textOf(response: Response | null): string {
  const { requestDate: _, ...body } = (response?.body ?? {}) as Record<string, unknown>;
  return `${response?.status} ${JSON.stringify(body)}`;
}
