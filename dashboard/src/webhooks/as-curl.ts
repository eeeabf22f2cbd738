// Converts a delivery to a curl command, to test a receiver.

/** Omits the signature, because the dashboard does not know the secret. */
export function toCurl(
  url: string,
  {
    body,
    eventId,
    contentType,
  }: { readonly body: string; readonly eventId: string; readonly contentType: string | null },
): string {
  const headers = { 'content-type': contentType ?? 'application/json', 'webhook-id': eventId };
  const lines = Object.entries(headers).map(([name, value]) => `-H ${quoteForShell(`${name}: ${value}`)}`);
  return [`curl -X POST ${quoteForShell(url)}`, ...lines, `--data-binary ${quoteForShell(body)}`].join(' \\\n  ');
}

/** Quotes a text for a shell. */
function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
