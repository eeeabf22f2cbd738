// Simulates one script and checks the result; reports a failing seed by a minimised script and its trace.
import { findingsOf } from './checks/all.js';
import type { Wrap } from './engine/process.js';
import { settle } from './engine/turns.js';
import { shrink } from './shrink.js';
import { play } from './world/play.js';
import type { Played } from './world/played.js';
import { writeScript, type Script } from './world/script.js';

export type Verdict = {
  /** Violated invariants; empty if the run passed. */
  readonly findings: readonly string[];
  /** Hash of the whole trace. */
  readonly hash: string;
  readonly story: readonly string[];
  readonly played: Played | null;
};

/** Unhandled rejections of the service, which would end a real process. */
const uncaught: string[] = [];
const noteUncaught = (err: unknown) =>
  void uncaught.push(err instanceof Error ? (err.stack ?? err.message) : String(err));

export async function judge(script: Script, wrap?: Wrap): Promise<Verdict> {
  let begun: Played | null = null;
  const findings: string[] = [];
  try {
    const played = await play(script, wrap, (world) => (begun = world));
    findings.push(...(await findingsOf(played)));
  } catch (err) {
    findings.push(err instanceof Error ? (err.stack ?? err.message) : String(err));
  }
  findings.push(...uncaught.splice(0).map((error) => `unhandled rejection: ${error}`));
  const { timeline, end } = (begun ?? {}) as Partial<Played>;
  const verdict = { findings, hash: timeline?.hash() ?? '', story: timeline?.story() ?? [], played: begun };
  end?.();
  await settle();
  // Errors of the shutdown do not count.
  uncaught.length = 0;
  return verdict;
}

/** Counts unhandled rejections as findings of the current run. Returns the function that restores the previous listeners. */
export function watchUncaught(): () => void {
  const others = process.listeners('unhandledRejection');
  process.removeAllListeners('unhandledRejection');
  process.on('unhandledRejection', noteUncaught);
  return () => {
    process.off('unhandledRejection', noteUncaught);
    for (const other of others) process.on('unhandledRejection', other);
  };
}

/** Returns the report of a failing seed. Runs at most `most` shorter scripts to minimise it. */
export async function report(seed: number, wrap?: Wrap, most?: number): Promise<string> {
  const script = writeScript(seed);
  const first = await judge(script, wrap);
  const kinds = new Set(first.findings.map(kindOf));
  const fails = async (shorter: Script) => (await judge(shorter, wrap)).findings.some((one) => kinds.has(kindOf(one)));
  const shortest = await shrink(script, fails, most);
  const { findings, story } = await judge(shortest, wrap);
  return [
    `seed ${seed}: ${first.findings.length} findings`,
    ...first.findings.slice(0, 10).map((finding) => `  ${finding.slice(0, 2000)}`),
    `minimised script, ${shortest.steps.length} of ${script.steps.length} steps, ${shortest.processes} processes:`,
    ...shortest.steps.map(
      (step) =>
        `  ${new Date(step.atMs).toISOString()} ${step.by} ${JSON.stringify('fault' in step ? step.fault : step.act)}`,
    ),
    ...findings.slice(0, 5).map((finding) => `  ${finding.slice(0, 2000)}`),
    'trace:',
    ...story.map((line) => `  ${line}`),
  ].join('\n');
}

/** Returns the first line without IDs and numbers, to tell apart failures of different causes. */
function kindOf(finding: string): string {
  const [line = ''] = finding.split('\n');
  return line.replace(/\S*\d\S*/g, '').slice(0, 80);
}
