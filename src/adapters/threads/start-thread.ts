// Start of worker threads.
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker, type ResourceLimits } from 'node:worker_threads';

/** For work that produces much short-lived garbage. */
export const LARGE_YOUNG_GENERATION: ResourceLimits = { maxYoungGenerationSizeMb: 64 };

export type ThreadOptions = {
  readonly workerData?: unknown;
  readonly resourceLimits?: ResourceLimits;
  /** URL of a module that the function gets as its argument. From source, a thread cannot import another one later. */
  readonly argument?: URL | undefined;
};

/**
 * Starts a thread. `module` is the URL of its module, without extension where compiled and source trees differ in it; `serve` is the name of
 * the function that is called. When run from source (tests), a thread installs the TypeScript loader itself: on Node 20 it does not inherit
 * the main thread's. It uses the loader for `require`, which starts in a fifth of the time.
 */
export function startThread(module: URL, serve: string, { argument, ...options }: ThreadOptions = {}): Worker {
  const isCompiled = import.meta.url.endsWith('.js');
  const loads = [module, ...(argument ? [argument] : [])].map(({ href }) => {
    const url = extname(href) ? href : href + extname(import.meta.url);
    return isCompiled ? `import(${JSON.stringify(url)})` : `require(${JSON.stringify(fileURLToPath(url))})`;
  });
  const script = `${isCompiled ? '' : "require('tsx/cjs/api').register();"}
    Promise.all([${loads.join()}]).then(([thread, argument]) => thread.${serve}(argument));`;
  return new Worker(script, { eval: true, execArgv: [], ...options });
}
