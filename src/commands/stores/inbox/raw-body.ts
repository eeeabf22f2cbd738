// Raw body of a stored notification: its decoded form contains only fields that the code of that time understood.

/** Returns the fields of a body; none if it is not a JSON object. */
export function fieldsOf(rawBody: string): Readonly<Record<string, unknown>> {
  try {
    const body: unknown = JSON.parse(rawBody);
    return typeof body === 'object' && body !== null ? { ...body } : {};
  } catch {
    // Test tools may store bodies that no store sends; then the decoded content is used.
    return {};
  }
}
