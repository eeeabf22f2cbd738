// What a store, a receiver or the interface said, behind a word to open it: as text, whatever it holds.
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

/** JSON with a line for each field; anything else as it is. */
export function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
