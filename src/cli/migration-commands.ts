// Registers the commands that move a project from another service: imports and comparisons.
import { Option, type Command } from 'commander';

/** Adds the commands to `subledger import`. */
export function registerImports(imported: Command): void {
  for (const [source, description] of [
    [
      'revenuecat',
      "import RevenueCat's exports of transactions, customers and purchase tokens; a dry run without --confirm",
    ],
    ['facts', 'import customers, purchases and grants as lines of JSON; a dry run without --confirm'],
  ] as const) {
    const command = imported
      .command(source)
      .description(description)
      .argument(source === 'facts' ? '<files...>' : '[files...]', 'CSV or Parquet files, or lines of JSON; .gz too')
      .requiredOption('--project <id>', 'project')
      .option('--confirm <digest>', 'digest printed by the dry run')
      .addOption(new Option('--sandbox <choice>', 'sandbox purchases').choices(['skip', 'keep']).default('skip'))
      .addOption(new Option('--usd <choice>', 'US dollar values').choices(['keep', 'ours']).default('keep'))
      .addOption(
        new Option('--other-stores <choice>', 'purchases of other stores that give access now')
          .choices(['skip', 'grant'])
          .default('skip'),
      )
      .option('--app <id...>', 'apps, if the project has several of a store')
      .option('--json', 'the report as JSON')
      .action(async (files, options) =>
        (await import('./import/import-history.js')).importHistory(source, files, options),
      );
    if (source === 'revenuecat')
      command
        .option(
          '--from-api <file>',
          'first read the customers from its API v2 into the file; a complete file is reused',
        )
        .option(
          '--ids <file>',
          'with --from-api: app user ids, one per line, that are looked up if the list lacks them',
        );
  }
  imported
    .command('catalogue')
    .description("copy a RevenueCat project's apps, products, entitlements, offerings and public keys; dry run first")
    .requiredOption('--project <id>', 'project id')
    .option('--confirm <digest>', 'digest of the dry run whose plan is to be executed')
    .option('--json', 'the plan or the result as JSON')
    .action(async (options) => (await import('./import-catalogue.js')).importRevenueCatCatalogue(options));

  imported
    .command('notifications')
    .description('fetch all notifications that the stores still have: for the ios-store the last 180 days')
    .requiredOption('--project <id>', 'project id')
    .option('--json', 'the result as JSON')
    .action(async (options) => (await import('./service-commands.js')).importPastNotifications(options));
}

export function registerComparisons(program: Command): void {
  program
    .command('verify-import')
    .description(
      'compare imported purchases with their stores, and record what the stores know; exits with 1 for an unexplained difference',
    )
    .requiredOption('--project <id>', 'project id')
    .option('--json', 'the result as JSON')
    .action(async (options) => (await import('./import/verify-import.js')).verifyImport(options));
  const compare = program.command('compare').description('compare with RevenueCat before and after a switch');
  compare
    .command('access')
    .description('compare who has which entitlement until when; exits with 1 for an unexplained difference')
    .requiredOption('--project <id>', 'project id')
    .option('--ids <file>', 'text file with one app user id per line')
    .option('--from-export <files...>', "compare with RevenueCat's export of transactions instead of its API")
    .option('--progress <file>', 'file of results, from which an interrupted run continues')
    .option('--json', 'the report as JSON, with every difference')
    .action(async (options) => (await import('./compare/compare-access.js')).compareAccessWithRevenueCat(options));
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
    .action(async (options) => (await import('./compare/compare-charts.js')).compareChartsWithRevenueCat(options));
}
