// Checks reads: processes that ran through all faults return the same as processes that have just started with empty caches.
import type { Response } from '../engine/http.js';
import type { Process } from '../engine/process.js';
import type { Played } from '../world/played.js';
import { TENANTS } from '../world/tenant.js';

/** Time after a start until the process's own writes are readable. */
const BEGUN_MS = 2000;
const DAY_MS = 86_400_000;

type Shown = { readonly process: string; readonly what: string; readonly text: string };

export async function checkReads(played: Played): Promise<string[]> {
  const { timeline } = played;
  const fromMs = timeline.now();
  const before = await shownBy(played);
  await played.restart();
  await timeline.pass(BEGUN_MS);
  const after = new Map((await shownBy(played)).map(({ what, text }) => [what, text]));
  const untilMs = timeline.now();
  // A read on another day changes the last-seen date.
  if (Math.floor(fromMs / DAY_MS) !== Math.floor(untilMs / DAY_MS)) return [];
  /** Returns true if the text contains an instant between the two reads: time alone changes it. */
  const changes = (text: string) =>
    (text.match(/\d{4}-\d\d-\d\dT[\d:.]+Z/g) ?? []).some((iso) => {
      const ms = Date.parse(iso);
      return ms > fromMs && ms <= untilMs;
    });
  return before.flatMap(({ process, what, text }) => {
    const fresh = after.get(what) ?? 'nothing';
    return text === fresh || changes(text) || changes(fresh)
      ? []
      : [`${process} returns for ${what}: ${text.slice(0, 1500)}; after a restart: ${fresh.slice(0, 1500)}`];
  });
}

/** Checks read-your-writes: on the same process at once, on others with the position from the response. */
export async function checkOwnWrites(played: Played): Promise<string[]> {
  const { script, tenants, journal, timeline } = played;
  const found: string[] = [];
  const [writer] = played.serving();
  for (const by of TENANTS) {
    const user = script.lifecycles[by].find(
      ({ appUserId }) => appUserId !== null && !journal.erased.some((e) => e.tenant === by && e.user === appUserId),
    )?.appUserId;
    if (!user || !writer) continue;
    const { secretKey: key } = tenants[by];
    const path = `/v1/subscribers/${user}`;
    for (let n = 0; n < 2; n++) {
      const value = `own write ${n}`;
      await played.inTime(ask(played, writer, path, key));
      const body = { attributes: { own: { value, updatedAtMs: timeline.now() } } };
      const written = await played.inTime(
        played.client.ask({ method: 'POST', path: `${path}/attributes`, key, body }, writer),
      );
      if (written === null || written.status >= 300) {
        found.push(`an attribute of ${by} ${user} was refused without faults: ${written?.status}`);
        continue;
      }
      const position = { 'x-position': String(written.headers['x-position']) };
      for (const process of played.serving()) {
        const shown = await played.inTime(ask(played, process, path, key, process === writer ? {} : position));
        const said = shown?.body.subscriber?.attributes?.own?.value;
        if (said !== value)
          found.push(`${process.host.name} returns ${said} for ${by} ${user} after ${value} was stored`);
      }
    }
  }
  return found;
}

async function shownBy(played: Played): Promise<readonly Shown[]> {
  const { script, tenants, journal } = played;
  const found: Shown[] = [];
  for (const by of TENANTS) {
    const users = new Set(script.lifecycles[by].flatMap(({ appUserId }) => appUserId ?? []));
    for (const user of users) {
      if (journal.erased.some((e) => e.tenant === by && e.user === user)) continue;
      const { publicKeys, secretKey } = tenants[by];
      for (const [kind, key] of Object.entries({ ios: publicKeys.ios, secret: secretKey }))
        for (const process of played.serving()) {
          const shown = await played.inTime(ask(played, process, `/v1/subscribers/${user}`, key));
          found.push({ process: process.host.name, what: `${by} ${user} (${kind})`, text: textOf(shown) });
        }
    }
  }
  return found;
}

/** Returns the first response; repeats a request without one. */
async function ask(
  { client }: Played,
  process: Process,
  path: string,
  key: string,
  headers: Record<string, string> = {},
): Promise<Response | null> {
  for (let tries = 0; tries < 5; tries++) {
    const response = await client.ask({ method: 'GET', path, key, headers }, process);
    if (response && response.status < 500) return response;
  }
  return null;
}

function textOf(response: Response | null): string {
  const { requestDate: _, ...body } = (response?.body ?? {}) as Record<string, unknown>;
  return `${response?.status} ${JSON.stringify(body)}`;
}
