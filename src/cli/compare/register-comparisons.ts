// The commands that compare Subledger with another service, and imports with the stores.
import { Option, type Command } from 'commander';

export function registerComparisons(program: Command): void {
  program
    .command('verify-import')
    .description(
      'compare imported purchases with their stores, and record what the stores know; exits with 1 for an unexplained difference',
    )
    .requiredOption('--project <id>', 'project id')
    .option('--json', 'the result as JSON')
    .action(async (options) => (await import('../import/verify-import.js')).verifyImport(options));
  const compare = program.command('compare').description('compare with RevenueCat before and after a switch');
  compare
    .command('access')
    .description('compare who has which entitlement until when; exits with 1 for an unexplained difference')
    .requiredOption('--project <id>', 'project id')
    .option('--ids <file>', 'text file with one app user id per line')
    .option('--from-export <files...>', "compare with RevenueCat's export of transactions instead of its API")
    .option('--progress <file>', 'file of results, from which an interrupted run continues')
    .option('--json', 'the report as JSON, with every difference')
    .action(async (options) => (await import('./compare-access.js')).compareAccessWithRevenueCat(options));
  compare
    .command('charts')
    .description('compare the charts of a period; exits with 1 for a difference without a known reason')
    .requiredOption('--project <id>', 'project id')
    .requiredOption('--from <day>', 'first UTC day, such as 2026-01-01')
    .requiredOption('--to <day>', 'last UTC day')
    .addOption(
      new Option('--interval <interval>', 'length of a bucket')
        .choices(['day', 'week', 'month', 'quarter', 'year'])
        .default('month'),
    )
    .option('--chart <id...>', 'only these charts; all 21 by default')
    .option('--progress <file>', 'file of results, from which an interrupted run continues')
    .option('--json', 'the report as JSON, with every bucket')
    .action(async (options) => (await import('./compare-charts.js')).compareChartsWithRevenueCat(options));
}
