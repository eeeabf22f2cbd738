// Collapsible raw text of a store, a receiver or the API, rendered as text, never as markup.
export function RawText({
  title,
  text,
  isOpen = false,
}: {
  readonly title: string;
  readonly text: string;
  readonly isOpen?: boolean;
}) {
  return (
    <details open={isOpen}>
      <summary>{title}</summary>
      <pre tabIndex={0} aria-label={title}>
        {text}
      </pre>
    </details>
  );
}

/** Indents JSON; returns any other text unchanged. */
export function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
