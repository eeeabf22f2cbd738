// Answers of the running service to commands of the books.
import { z } from 'zod';
import { Failure } from '../support/outcome.js';

const refusal = z.object({ message: z.string() });

type Answer<T> = { readonly data?: T; readonly error?: unknown; readonly response: { readonly status: number } };

/** Returns the body. Throws {@link Failure} with what the service refuses, or that it cannot be reached. */
export async function bodyOrFailure<T>(url: string, request: Promise<Answer<T>>): Promise<T> {
  const { data, error, response } = await request.catch((err: unknown) => {
    throw new Failure(`${url} cannot be reached: ${err instanceof Error ? err.message : String(err)}`);
  });
  if (data !== undefined) return data;
  // A proxy in front of the service responds in a form of its own.
  const refused = refusal.safeParse(error);
  throw new Failure(refused.success ? refused.data.message : `${url} responded with ${response.status}`);
}
