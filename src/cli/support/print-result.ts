// Output of a command.

/** Prints the result to stdout: as JSON with `--json`, otherwise the lines of text. */
export function printResult(o: { readonly json?: true }, result: unknown, lines: readonly string[]): void {
  process.stdout.write(`${o.json ? JSON.stringify(result, null, 2) : lines.join('\n')}\n`);
}
