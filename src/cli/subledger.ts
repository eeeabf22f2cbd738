#!/usr/bin/env node
// The command line: one file per command, loaded when it is asked for, so that serving never loads the simulator.
import { Command, InvalidArgumentError } from 'commander';
import { EXIT_WRONG_USE } from './failure.js';

const program = new Command('subledger')
  .description('Self-hosted, event-sourced back end for in-app subscriptions')
  // Before the commands, which inherit it: wrong use ends with 2, where the library would say 1.
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : EXIT_WRONG_USE));

program
  .command('serve')
  .description('run the service')
  .action(async () => (await import('./serve.js')).serve());

program
  .command('demo')
  .description('run the service with a simulated ios-store that plays customers to it')
  .option('--customers <number>', 'how many customers', wholeNumber(1, 100_000), 300)
  .option('--months <number>', 'how far back their lives begin', wholeNumber(1, 60), 14)
  .option('--seed <text>', 'the same seed plays the same lives', '1')
  .option('--exit', 'end after printing instead of serving on')
  .action(async (options) => (await import('./demo.js')).demo(options));

program
  .command('timeline')
  .description("print a customer's story, from the data of a running or stopped service")
  .argument('<project>', 'project id')
  .argument('<customer>', 'app user id or customer id')
  .option('--json', 'as the HTTP endpoint shows it')
  .action(async (project, customer, options) => (await import('./timeline.js')).timeline(project, customer, options));

await program.parseAsync();

function wholeNumber(min: number, max: number) {
  return (text: string): number => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && value <= max) return value;
    throw new InvalidArgumentError(`Give a whole number from ${min} to ${max}.`);
  };
}
