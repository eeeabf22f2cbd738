// Converts a delivery to a curl command, to test a receiver.

/** Omits the signature, because the dashboard does not know the secret. */
export function asCurl(
  url: string,
  {
    body,
    eventId,
    contentType,
  }: { readonly body: string; readonly eventId: string; readonly contentType: string | null },
): string {
  const headers = { 'content-type': contentType ?? 'application/json', 'webhook-id': eventId };
  const lines = Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
  return [`curl -X POST ${quoted(url)}`, ...lines, `--data-binary ${quoted(body)}`].join(' \\\n  ');
}

/** Quotes a text for a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
