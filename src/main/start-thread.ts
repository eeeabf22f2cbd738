// Start of worker threads for computations.
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';

/** The work produces much short-lived garbage. */
const resourceLimits = { maxYoungGenerationSizeMb: 64 };

/**
 * Starts a thread. `module` is the URL of its module, without extension (compiled and source trees differ in it); `serve` is the name of
 * the function that is called. When run from source (tests), a thread installs the TypeScript loader itself: on Node 20 it does not inherit
 * the main thread's.
 */
export function startThread(module: URL, serve: string, data: unknown): Worker {
  const isCompiled = import.meta.url.endsWith('.js');
  const url = module.href + extname(import.meta.url);
  const run = `import(${JSON.stringify(url)}).then((thread) => thread.${serve}())`;
  const script = isCompiled ? run : `import('tsx/esm/api').then(({ register }) => register()).then(() => ${run});`;
  return new Worker(script, { eval: true, execArgv: [], workerData: data, resourceLimits });
}
