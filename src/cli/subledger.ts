#!/usr/bin/env node
// Command line: commands are loaded on demand, so that serving never loads the simulator.
import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { Command, InvalidArgumentError, Option } from 'commander';
import { fileFault, systemCodeOf, WrongConfiguration } from '../adapters/configuration/wrong-configuration.js';
import { registerBooks } from './books/register.js';
import { registerImports, registerComparisons } from './migration-commands.js';
import { VERSION } from '../main/version.js';
import { EXIT_WRONG_USE, fail, handleOutputErrors } from './support/outcome.js';

handleOutputErrors();

const program = new Command('subledger')
  .description('Self-hosted, event-sourced back end for in-app subscriptions')
  .version(VERSION)
  // Set before the commands, which inherit it: wrong use exits with 2, where the library would use 1.
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : EXIT_WRONG_USE))
  .hook('preAction', async (_program, command) => {
    loadEnvFile();
    // The service warns in its log.
    if (command.name() !== 'serve') await warnOfMisspeltNames();
  });

program
  .command('serve')
  .description('run the service')
  .action(async () => (await import('./serve.js')).serve());

program
  .command('demo')
  .description('run the service with a simulated ios-store and simulated customers')
  .option(
    '--customers <number>',
    'number of customers who pay in US dollars; 15% more pay in other currencies',
    wholeNumber(1, 100_000),
    300,
  )
  .option('--months <number>', 'months of history', wholeNumber(1, 60), 14)
  .option('--seed <text>', 'the same seed generates the same lifecycles', '1')
  .option('--exit', 'exit instead of keeping the server running')
  .action(async (options) => (await import('./demo/demo.js')).demo(options));

program
  .command('timeline')
  .description("print a customer's timeline, from the data of a running or stopped service")
  .argument('<project>', 'project id')
  .argument('<customer>', 'app user id or customer id')
  .option('--json', 'as JSON, like the HTTP endpoint')
  .action(async (project, customer, options) =>
    (await import('./timeline/customer-commands.js')).timeline(project, customer, options),
  );

program
  .command('explain')
  .description(
    'explain why a customer does or does not have an entitlement, from the data of a running or stopped service',
  )
  .argument('<project>', 'project id')
  .argument('<customer>', 'app user id or customer id')
  .argument('[entitlement]', 'id or lookup key; all by default')
  .option('--at <instant>', 'a UTC day or instant; now by default')
  .action(async (project, customer, entitlement, options) =>
    (await import('./timeline/customer-commands.js')).explain(project, customer, entitlement, options),
  );

registerBooks(program);

program
  .command('replay')
  .description('rebuild and serve read models from the log, or create a named chart replay')
  .argument('[what]', 'all, charts, or the name of a read model')
  .option('--as <name>', 'create a replay for ?replay=<name>; served read models stay unchanged')
  .option('--delete <name>', 'delete the replay with this name')
  .option('--until <instant|position>', 'only data recorded until then')
  .option(
    '--what-if <key=value...>',
    'refundPolicy=keep_until_expiry, refundPolicy=revoke_immediately, commission=0.15',
  )
  .option('--project <id>', 'only this project')
  .option('--json', 'the result as JSON')
  .action(async (what, options) => (await import('./replay/replay.js')).replay(what, options));

program
  .command('reprocess')
  .description('process stored notifications again with the current version and append missing events')
  .option('--since <instant>', 'only notifications received then or later')
  .option('--dry-run', 'list the events that would be appended, and append nothing')
  .option('--json', 'the result as JSON')
  .action(async (options) => (await import('./service-commands.js')).reprocessNotifications(options));

program
  .command('rates')
  .description('exchange rates')
  .command('import')
  .description('import eurofxref.csv or eurofxref-hist.csv of the European Central Bank')
  .argument('<file>')
  .option('--json', 'the result as JSON')
  .action(async (file, options) => (await import('./service-commands.js')).importRatesFile(file, options));

program
  .command('erase')
  .description('erase all data about a customer from the log and read models; amounts stay for charts')
  .argument('<project>', 'project id')
  .argument('<customer>', 'app user id')
  .option('--json', 'the result as JSON')
  .action(async (project, customer, options) =>
    (await import('./service-commands.js')).erase(project, customer, options),
  );

program
  .command('export-facts')
  .description('export customers, subscriptions and transactions, or with --to the chart facts and their SQL')
  .argument('[dir]', 'target directory for customers, subscriptions and transactions')
  .addOption(
    new Option('--format <format>', 'format of the files in DIR; parquet by default').choices(['parquet', 'csv']),
  )
  .option('--project <id>', 'only this project; required with --to')
  .option('--to <folder>', 'target folder for the chart facts of one project as Parquet, and charts.sql')
  .addOption(
    new Option('--environment <environment>', 'environment of the chart facts').choices(['production', 'sandbox']),
  )
  .option('--as-of <instant>', 'UTC day or instant of the chart facts; now by default')
  .action(async (dir, options) => (await import('./facts/export-facts.js')).exportFacts(dir, options));

program
  .command('backup')
  .description('copy DATA_DIR consistently while the service runs, and check the copy')
  .argument('<dir>', 'new or empty')
  .option('--with-keys', 'include master.key and jwt.secret (better stored elsewhere)')
  .action(async (dir, options) => (await import('./moving/backup.js')).backupTo(dir, options));

program
  .command('export')
  .description('write the whole log and the records, still encrypted, to one file; stop the service first')
  .argument('<file>', 'such as dump.ndjson.gz')
  .action(async (file) => (await import('./moving/moving.js')).exportTo(file));

const imported = program
  .command('import')
  .description('import an exported file into an empty installation (resumable)')
  .argument('<file>', 'file written by export')
  .action(async (file) => (await import('./moving/import.js')).importFrom(file));
registerImports(imported);
registerComparisons(program);

program
  .command('export-history')
  .description(
    "write a project's customers, purchases, refunds and grants as lines of facts, which import facts reads back",
  )
  .argument('<file>', 'new file, such as history.ndjson')
  .requiredOption('--project <id>', 'project')
  .option('--since <instant>', 'only what was bought or refunded then or later')
  .action(async (file, options) => (await import('./import/export-history.js')).exportHistory(file, options));

program
  .command('verify')
  .description('check the log for gaps, and compare it with an exported file')
  .argument('[file]', 'file written by export')
  .action(async (file) => (await import('./moving/moving.js')).verify(file));

program
  .command('vacuum')
  .description('rewrite the files of a stopped service to remove deleted data')
  .option('--json', 'the result as JSON')
  .action(async (options) => (await import('./vacuum.js')).vacuum(options));

program
  .command('doctor')
  .description(
    'check connections, clock, lag, parked events, disk, keys, store credentials and report sources; exits with 1 for a problem',
  )
  .option('--json', 'the result as JSON')
  .action(async (options) => (await import('./doctor/doctor.js')).doctor(options));

const parked = program
  .command('parked')
  .description('list parked events and documents')
  .option('--json', 'the result as JSON')
  .action(async (options) => (await import('./parked.js')).listParked(options));
parked
  .command('retry')
  .description('retry after a repair')
  .argument('[id]', 'ID of one event or document')
  .option('--json', 'the result as JSON')
  .action(async (id, _options, command: Command) =>
    (await import('./parked.js')).retryParked(id, command.optsWithGlobals()),
  );

program
  .command('keys')
  .description('encryption keys of secrets and personal data')
  .command('rewrap')
  .description('wrap every data key with the first key of MASTER_KEY')
  .option('--json', 'the result as JSON')
  .action(async (options) => (await import('./service-commands.js')).rewrapKeys(options));

program
  .command('user')
  .description('dashboard users')
  .command('reset-password')
  .description('set a random password, print it once, end all sessions of the user and remove the second factor')
  .argument('<email>')
  .option('--json', 'the result as JSON')
  .action(async (email, options) => (await import('./service-commands.js')).resetPasswordOf(email, options));

program
  .command('mcp')
  .description('tools for an assistant on stdin and stdout (Model Context Protocol), over a service at SUBLEDGER_URL')
  .option('--allow <scopes>', 'use only these scopes of the key, comma-separated, such as read,support')
  .option('--pii', 'include attributes and e-mail addresses, if the key has the scope pii')
  .action(async (options) => (await import('./mcp.js')).mcp(options));

await program.parseAsync().catch(fail);

function wholeNumber(min: number, max: number) {
  return (text: string): number => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && value <= max) return value;
    throw new InvalidArgumentError(`Give a whole number from ${min} to ${max}.`);
  };
}

/**
 * Reads `.env` of the working directory, if there is one; a variable of the environment wins, even an empty one. Throws
 * `WrongConfiguration` for a file that cannot be read.
 */
function loadEnvFile(): void {
  try {
    const variables = parseEnv(readFileSync('.env', 'utf8'));
    for (const [name, value] of Object.entries(variables)) process.env[name] ??= value;
  } catch (err) {
    if (systemCodeOf(err) === 'ENOENT') return;
    throw new WrongConfiguration([
      `.env in ${process.cwd()} ${fileFault(err)}; make it a file that this user may read, or remove it`,
    ]);
  }
}

async function warnOfMisspeltNames(): Promise<void> {
  const { settingNames } = await import('../adapters/configuration/config.js');
  const { describeMisspeltName, findMisspeltNames } = await import('../adapters/configuration/misspelt-names.js');
  for (const misspelt of findMisspeltNames(Object.keys(process.env), settingNames))
    process.stderr.write(`${describeMisspeltName(misspelt)}\n`);
}
