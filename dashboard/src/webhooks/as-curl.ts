// A delivery as a command for a shell, to try a receiver with.

/** Without the signature: the secret is not known here. */
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

/** Nothing in it means anything to a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
