// Simulates one script and checks the result; reports a failing seed by a minimised script and its trace.
import { runChecks } from './checks/all.js';
import type { Interceptors } from './engine/process.js';
import { drainEventLoop } from './engine/event-loop.js';
import { minimise } from './minimise.js';
import { runScript } from './scenario/run-script.js';
import type { Simulation } from './scenario/simulation.js';
import { createScript, type Script } from './scenario/script.js';

export type SimulationResult = {
  /** Violated invariants; empty if the run passed. */
  readonly findings: readonly string[];
  /** Hash of the whole trace. */
  readonly hash: string;
  readonly trace: readonly string[];
  readonly simulation: Simulation | null;
};

/** Unhandled rejections of the service, which would end a real process. */
const unhandledErrors: string[] = [];
const recordUnhandled = (err: unknown) =>
  void unhandledErrors.push(err instanceof Error ? (err.stack ?? err.message) : String(err));

export async function simulate(script: Script, interceptors?: Interceptors): Promise<SimulationResult> {
  let started: Simulation | null = null;
  const findings: string[] = [];
  try {
    const simulation = await runScript(script, interceptors, (run) => (started = run));
    findings.push(...(await runChecks(simulation)));
  } catch (err) {
    findings.push(err instanceof Error ? (err.stack ?? err.message) : String(err));
  }
  findings.push(...unhandledErrors.splice(0).map((error) => `unhandled rejection: ${error}`));
  const { timeline, end } = (started ?? {}) as Partial<Simulation>;
  const result = { findings, hash: timeline?.hash() ?? '', trace: timeline?.trace() ?? [], simulation: started };
  end?.();
  await drainEventLoop();
  // Errors of the shutdown do not count.
  unhandledErrors.length = 0;
  return result;
}

/** Counts unhandled rejections as findings of the current run. Returns the function that restores the previous listeners. */
export function collectUnhandledRejections(): () => void {
  const others = process.listeners('unhandledRejection');
  process.removeAllListeners('unhandledRejection');
  process.on('unhandledRejection', recordUnhandled);
  return () => {
    process.off('unhandledRejection', recordUnhandled);
    for (const other of others) process.on('unhandledRejection', other);
  };
}

/** Returns the report of a failing seed. Runs at most `most` shorter scripts to minimise it. */
export async function createReport(seed: number, interceptors?: Interceptors, maxRuns?: number): Promise<string> {
  const script = createScript(seed);
  const original = await simulate(script, interceptors);
  const kinds = new Set(original.findings.map(normaliseFinding));
  const fails = async (shorter: Script) =>
    (await simulate(shorter, interceptors)).findings.some((one) => kinds.has(normaliseFinding(one)));
  const shortest = await minimise(script, fails, maxRuns);
  const { findings, trace } = await simulate(shortest, interceptors);
  return [
    `seed ${seed}: ${original.findings.length} findings`,
    ...original.findings.slice(0, 10).map((finding) => `  ${finding.slice(0, 2000)}`),
    `minimised script, ${shortest.steps.length} of ${script.steps.length} steps, ${shortest.processes} processes:`,
    ...shortest.steps.map(
      (step) =>
        `  ${new Date(step.atMs).toISOString()} ${step.by} ${JSON.stringify('fault' in step ? step.fault : step.act)}`,
    ),
    ...findings.slice(0, 5).map((finding) => `  ${finding.slice(0, 2000)}`),
    'trace:',
    ...trace.map((line) => `  ${line}`),
  ].join('\n');
}

/** Returns the first line without IDs and numbers, to tell apart failures of different causes. */
function normaliseFinding(finding: string): string {
  const [line = ''] = finding.split('\n');
  return line.replace(/\S*\d\S*/g, '').slice(0, 80);
}
