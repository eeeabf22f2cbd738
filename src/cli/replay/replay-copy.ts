// A copy of read models under a name, from the events up to an instant or under other rules. Only requests with `?replay=` read it.
import { codeFingerprint } from '../../adapters/code-fingerprint.js';
import { readConfig } from '../../adapters/config.js';
import { hasServers } from '../../adapters/engine.js';
import type { ReplayInfo } from '../../adapters/replays/info.js';
import { replayMakingInFiles } from '../../adapters/replays/making-in-files.js';
import { isReplayKey } from '../../adapters/replays/port.js';
import { systemRuntime } from '../../adapters/runtime.js';
import type { EventLog } from '../../adapters/event-log/port.js';
import type { LogPosition } from '../../domain/envelope.js';
import { copyBuilds, makeCopy, type CopyTerms, type Until } from '../../projections/build/named-copy.js';
import type { Build } from '../../projections/runtime/projection.js';
import type { WhatIf } from '../../projections/queries/what-if.js';
import { Failure, WrongUse } from '../support/failure.js';
import { readInstant } from '../support/instant.js';
import { openForReading } from '../support/open-for-reading.js';
import { startProgressBar } from '../support/progress-bar.js';
import { projectionsNamed } from './replay-live.js';

export type CopyOptions = {
  readonly as: string;
  readonly until?: string;
  readonly whatIf?: readonly string[];
  readonly project?: string;
  readonly json?: true;
};

export async function replayCopy(what: string, o: CopyOptions, signal: AbortSignal): Promise<void> {
  const key = { projectId: o.project ?? null, name: o.as };
  if (!isReplayKey({ ...key, projectId: null })) {
    throw new WrongUse(`--as ${o.as}: use lower-case letters, digits, - and _, at most 64`);
  }
  if (!isReplayKey(key)) throw new WrongUse(`--project ${String(o.project)}: give the id of a project`);
  const terms = { ...key, until: untilOf(o.until), whatIf: whatIfOf(o.whatIf ?? []) };
  const config = readConfig(process.env);
  if (hasServers(config)) {
    throw new Failure(
      'on servers a service makes the copies of a project: ask for one with POST /v1/projects/ID/metrics/replays',
    );
  }
  const { info, warning } = await copyIn(config.DATA_DIR, what, terms, signal);
  if (warning !== null) process.stderr.write(`${warning}\n`);
  process.stdout.write(
    o.json ? `${JSON.stringify(info, null, 2)}\n` : `${o.as} is there, read it with ?replay=${o.as}\n`,
  );
}

type Made = { readonly info: ReplayInfo; readonly warning: string | null };

async function copyIn(dataDir: string, what: string, terms: CopyTerms, signal: AbortSignal): Promise<Made> {
  const builds = copyBuilds(projectionsNamed(what));
  const reading = await openForReading(process.env);
  const bar = startProgressBar(terms.name, Number(await reading.log.head()), 'events');
  const deps = { log: reading.log, hash: reading.hash, runtime: systemRuntime() };
  try {
    let made: ReplayInfo | undefined;
    const end = await replayMakingInFiles(dataDir).make(terms, async (docs) => {
      const o = { signal, fingerprint: codeFingerprint(), onProgress: bar.reach };
      made = await makeCopy(deps, docs, builds, terms, o).finally(() => bar.stop());
    });
    if (end !== 'made' || !made) throw new Failure(`${terms.name} is being made by another process; wait for it`);
    return { info: made, warning: made.events === 0 ? await describeEmpty(reading.log, builds, made, signal) : null };
  } finally {
    bar.stop();
    await reading.close();
  }
}

/** Without this warning, zeros would pass for figures. */
async function describeEmpty(
  log: EventLog,
  builds: readonly Build[],
  { name, projectId }: ReplayInfo,
  signal: AbortSignal,
): Promise<string> {
  const of = projectId === null ? '' : ` of ${projectId}`;
  const shown = [...new Set(builds.flatMap((b) => b.projection.families))];
  for await (const { events, caughtUp } of log.follow({ after: 'start', families: shown, max: 500, signal })) {
    const first = events.find(({ meta }) => projectId === null || meta.projectId === projectId);
    if (first) {
      const when = `${first.meta.recordedAt}, position ${Number(first.position)}`;
      return `warning: ${name} is empty: the first event${of} was recorded at ${when}; give a later --until`;
    }
    if (caughtUp) break;
  }
  return `warning: ${name} is empty: nothing that it could show${of} is known`;
}

function untilOf(text: string | undefined): Until {
  if (text === undefined) return {};
  if (/^\d{1,20}$/.test(text)) return { position: text.padStart(20, '0') as LogPosition };
  const instant = readInstant(text);
  if (instant === null)
    throw new WrongUse(`--until ${text}: give an instant such as 2026-04-13T00:00:00Z, or a position of the log`);
  return { instant };
}

function whatIfOf(texts: readonly string[]): WhatIf {
  return Object.assign({}, ...texts.map(supposition)) as WhatIf;
}

function supposition(text: string): WhatIf {
  const [key, value = ''] = text.split('=');
  if (key === 'refundPolicy' && (value === 'keep_until_expiry' || value === 'revoke_immediately'))
    return { refundPolicy: value };
  if (key === 'commission' && /^(0(\.\d+)?|1(\.0+)?)$/.test(value)) return { commission: Number(value) };
  throw new WrongUse(
    `--what-if ${text}: give refundPolicy=keep_until_expiry, refundPolicy=revoke_immediately, or commission= and a share from 0 to 1`,
  );
}
