// Raw body of a stored notification: its decoded form contains only fields that the code of that time understood.

/** Returns the fields of a body; none if it is not a JSON object. */
export function fieldsOf(rawBody: string): Readonly<Record<string, unknown>> {
  try {
    const body: unknown = JSON.parse(rawBody);
    return typeof body === 'object' && body !== null ? { ...body } : {};
  } catch {
    // Tests of an app's own tools may keep what no store sends; what was decoded stands.
    return {};
  }
}
