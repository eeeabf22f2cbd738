// Registers `subledger books`.
import type { Command } from 'commander';

export function registerBooks(program: Command): void {
  const books = program.command('books').description("the stores' financial reports, beside what was recorded");
  books
    .command('add')
    .description('add reports: earnings of the android-store, finance detail of the ios-store; .zip and .gz too')
    .argument('<files...>', 'files as the store wrote them')
    .requiredOption('--project <id>', 'project id')
    .option('--account <name>', 'payments profile or vendor number, if the name of the file does not state it')
    .option('--json', 'the result as JSON')
    .action(async (files, options) => (await import('./books.js')).addBooks(files, options));
  books
    .command('show')
    .description('print a month: ours, the store, and the difference by cause')
    .argument('<month>', 'month, such as 2026-09')
    .requiredOption('--project <id>', 'project id')
    .option('--as-of <instant>', 'as it was known then, such as 2026-11-05T10:00:00Z')
    .option('--json', 'as JSON, like the HTTP endpoint')
    .action(async (month, options) => (await import('./books.js')).showBooks(month, options));
  books
    .command('absent')
    .description(
      'declare that a report will not come, with a key of the running service (SUBLEDGER_URL, SUBLEDGER_API_KEY)',
    )
    .argument('<month>', 'month, such as 2026-09')
    .requiredOption('--project <id>', 'project id')
    .requiredOption('--store <store>', 'ios-store or android-store')
    .option('--countries <codes>', 'of a report of one region: its countries, such as CA,US')
    .option('--reason <text>', 'why it will not come')
    .option('--withdraw', 'wait for the report again')
    .option('--json', 'as JSON, like the HTTP endpoint')
    .action(async (month, options) => (await import('./absent.js')).declareAbsent(month, options));
  books
    .command('fetch')
    .description("look for new reports at the stores' servers, with a key of the running service")
    .requiredOption('--project <id>', 'project id')
    .option('--app <id>', 'app id; all apps with a report source without it')
    .option('--from <month>', 'first month, such as 2026-01; the last four months without it')
    .option('--json', 'as JSON, like the HTTP endpoint')
    .action(async (options) => (await import('./fetch.js')).fetchBooks(options));
  books
    .command('close')
    .description('close a month, with a key of the running service (SUBLEDGER_URL, SUBLEDGER_API_KEY)')
    .argument('<month>', 'month, such as 2026-09')
    .requiredOption('--project <id>', 'project id')
    .option('--incomplete-reason <text>', 'why a month is closed that waits for a report')
    .option('--json', 'as JSON, like the HTTP endpoint')
    .action(async (month, options) => (await import('./close.js')).closeBooks(month, options));
}
