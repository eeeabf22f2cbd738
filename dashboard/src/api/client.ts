// The interface, by the same typed client that other programs use.
import { createClient, type Schemas } from '#sdk/client';
import { authorizedFetch } from '../session/session';

export type { Schemas };

export const api = createClient({ baseUrl: window.location.origin, attempts: 3, fetch: authorizedFetch });

/** What the server refused, in its words. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
    this.name = 'ApiError';
  }
}

type Answer<T> = { readonly data?: T; readonly error?: unknown; readonly response: Response };

/** The body of a response. Throws {@link ApiError}. */
export async function ask<T>(asking: Promise<Answer<T>>): Promise<T> {
  const { data, error, response } = await asking;
  if (data !== undefined) return data;
  const message = (error as { readonly message?: string } | undefined)?.message;
  throw new ApiError(response.status, message ?? `the server answered with ${response.status}`);
}

/** For paths of SDKs, on which a user names the project in a header. */
export function ofProject(projectId: string) {
  return { headers: { 'x-project-id': projectId } };
}

/** The parameters of the page that a list names as its next. */
export function nextPageOf(nextPage: string | null): Record<string, string> | null {
  return nextPage === null ? null : Object.fromEntries(new URL(nextPage, 'http://server').searchParams);
}
