#!/usr/bin/env node
// Command line: one file per command, loaded on demand, so that serving never loads the simulator.
import { Command, InvalidArgumentError, Option } from 'commander';
import { loadEnvFile } from './support/env-file.js';
import { EXIT_WRONG_USE, fail } from './support/failure.js';

const program = new Command('subledger')
  .description('Self-hosted, event-sourced back end for in-app subscriptions')
  // Set before the commands, which inherit it: wrong use exits with 2, where the library would use 1.
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : EXIT_WRONG_USE))
  .hook('preAction', () => {
    try {
      loadEnvFile(process.env);
    } catch (err) {
      fail(err);
    }
  });

program
  .command('serve')
  .description('run the service')
  .action(async () => (await import('./serve.js')).serve());

program
  .command('demo')
  .description('run the service with a simulated ios-store that plays customers to it')
  .option('--customers <number>', 'how many customers', wholeNumber(1, 100_000), 300)
  .option('--months <number>', 'how far back their lifecycles begin', wholeNumber(1, 60), 14)
  .option('--seed <text>', 'the same seed plays the same lifecycles', '1')
  .option('--exit', 'end after printing instead of serving on')
  .action(async (options) => (await import('./demo/demo.js')).demo(options));

program
  .command('timeline')
  .description("print a customer's timeline, from the data of a running or stopped service")
  .argument('<project>', 'project id')
  .argument('<customer>', 'app user id or customer id')
  .option('--json', 'as the HTTP endpoint shows it')
  .action(async (project, customer, options) =>
    (await import('./timeline/timeline.js')).timeline(project, customer, options),
  );

program
  .command('explain')
  .description('explain why a customer has an entitlement or has not, from the data of a running or stopped service')
  .argument('<project>', 'project id')
  .argument('<customer>', 'app user id or customer id')
  .argument('[entitlement]', 'id or lookup key; every one by default')
  .option('--at <instant>', 'a UTC day or instant; now by default')
  .action(async (project, customer, entitlement, options) =>
    (await import('./timeline/explain.js')).explain(project, customer, entitlement, options),
  );

program
  .command('replay')
  .description('build read models again from the log and serve them, or name charts of an instant or of other rules')
  .argument('[what]', 'all, charts, or the name of a read model')
  .option('--as <name>', 'name charts that ?replay=<name> shows, and leave what is served alone')
  .option('--delete <name>', 'delete the replay of this name')
  .option('--until <instant|position>', 'only what was known then')
  .option(
    '--what-if <key=value...>',
    'refundPolicy=keep_until_expiry, refundPolicy=revoke_immediately, commission=0.15',
  )
  .option('--project <id>', 'of one project only')
  .option('--json', 'the result as JSON')
  .action(async (what, options) => (await import('./replay/replay.js')).replay(what, options));

program
  .command('reprocess')
  .description('run kept notifications of the stores through the translators again, and append what they add now')
  .option('--since <instant>', 'only what was received then or later')
  .option('--dry-run', 'list the events that would be appended, and append nothing')
  .option('--json', 'the result as JSON')
  .action(async (options) => (await import('./reprocess.js')).reprocessNotifications(options));

program
  .command('rates')
  .description('exchange rates')
  .command('import')
  .description('take in eurofxref.csv or eurofxref-hist.csv of the European Central Bank')
  .argument('<file>')
  .option('--json', 'the result as JSON')
  .action(async (file, options) => (await import('./rates.js')).importRatesFile(file, options));

program
  .command('erase')
  .description('erase what is known about a customer, in every read model and in the log; amounts stay for charts')
  .argument('<project>', 'project id')
  .argument('<customer>', 'app user id')
  .option('--json', 'the result as JSON')
  .action(async (project, customer, options) => (await import('./erase.js')).erase(project, customer, options));

program
  .command('export-facts')
  .description('write customers, subscriptions and transactions, or with --to the facts of the charts and their SQL')
  .argument('[dir]', 'for customers, subscriptions and transactions')
  .addOption(new Option('--format <format>', 'of the files in DIR; parquet by default').choices(['parquet', 'csv']))
  .option('--project <id>', 'of one project only; required with --to')
  .option('--to <folder>', 'for the facts of the charts of one project as Parquet, and charts.sql')
  .addOption(new Option('--environment <environment>', 'of the facts of the charts').choices(['production', 'sandbox']))
  .option('--as-of <instant>', 'a UTC day or instant, of the facts of the charts; now by default')
  .action(async (dir, options) => (await import('./facts/export-facts.js')).exportFacts(dir, options));

program
  .command('backup')
  .description('copy DATA_DIR beside the running service, all as it was at one instant, and check the copy')
  .argument('<dir>', 'new or empty')
  .option('--with-keys', 'also master.key and jwt.secret, which are better kept in another place')
  .action(async (dir, options) => (await import('./moving/backup.js')).backupTo(dir, options));

program
  .command('export')
  .description('write the whole log and the records, still encrypted, to one file; stop the service first')
  .argument('<file>', 'such as dump.ndjson.gz')
  .action(async (file) => (await import('./moving/export.js')).exportTo(file));

program
  .command('import')
  .description('take an exported file into an empty installation; a run that was cut goes on where it was')
  .argument('<file>', 'made by export')
  .action(async (file) => (await import('./moving/import.js')).importFrom(file));

program
  .command('verify')
  .description('check that no stream of the log has a gap, and that the log is the same as an exported file')
  .argument('[file]', 'made by export')
  .action(async (file) => (await import('./moving/verify.js')).verify(file));

program
  .command('vacuum')
  .description('rewrite the files of a stopped service so that nothing deleted is left in them')
  .option('--json', 'the result as JSON')
  .action(async (options) => (await import('./vacuum.js')).vacuum(options));

program
  .command('doctor')
  .description(
    'examine the installation: connections, clock, lag, what is parked, disk, keys; ends with 1 for a problem',
  )
  .option('--json', 'the result as JSON')
  .action(async (options) => (await import('./doctor/doctor.js')).doctor(options));

const parked = program
  .command('parked')
  .description('list what could not be handled or folded')
  .option('--json', 'the result as JSON')
  .action(async (options) => (await import('./parked.js')).listParked(options));
parked
  .command('retry')
  .description('try it again, after a repair')
  .argument('[id]', 'of one event or document')
  .option('--json', 'the result as JSON')
  .action(async (id, _options, command: Command) =>
    (await import('./parked.js')).retryParked(id, command.optsWithGlobals()),
  );

program
  .command('keys')
  .description('the keys that seal secrets and personal data')
  .command('rewrap')
  .description('wrap every data key under the first key of MASTER_KEY')
  .option('--json', 'the result as JSON')
  .action(async (options) => (await import('./keys.js')).rewrapKeys(options));

program
  .command('user')
  .description('users who log in')
  .command('reset-password')
  .description('give somebody a new random password, print it once, and end all log-ins of that user')
  .argument('<email>')
  .option('--json', 'the result as JSON')
  .action(async (email, options) => (await import('./user.js')).resetPasswordOf(email, options));

await program.parseAsync();

function wholeNumber(min: number, max: number) {
  return (text: string): number => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && value <= max) return value;
    throw new InvalidArgumentError(`Give a whole number from ${min} to ${max}.`);
  };
}
