// The commands that import a history: from RevenueCat, and from lines of facts.
import { Option, type Command } from 'commander';

/** Adds the commands to `subledger import`. */
export function registerHistoryImports(imported: Command): void {
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
      .action(async (files, options) => (await import('./import-history.js')).importHistory(source, files, options));
    if (source === 'revenuecat')
      command.option(
        '--from-api <file>',
        'first read the customers from its API v2 into the file; a complete file is reused',
      );
  }
}
