// A kept notification's body as it came: what was decoded then holds only what the code knew then.

/** The fields of a body; none of one that is no JSON object. */
export function fieldsOf(rawBody: string): Readonly<Record<string, unknown>> {
  try {
    const body: unknown = JSON.parse(rawBody);
    return typeof body === 'object' && body !== null ? { ...body } : {};
  } catch {
    // Tests of an app's own tools may keep what no store sends; what was decoded stands.
    return {};
  }
}
