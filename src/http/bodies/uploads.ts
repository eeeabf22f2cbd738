// Refusals of uploaded files as responses.
import { UploadRefused } from '../../domain/errors.js';
import { HttpError } from './errors.js';

const statuses = { 'too-large': 413, empty: 400, 'name-taken': 409 } as const;

/** Returns the result of reading an upload. Throws {@link HttpError} 400, 409 or 413 with what to do if it is refused. */
export async function orRefuseUpload<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (err) {
    throw err instanceof UploadRefused ? new HttpError(statuses[err.reason], err.message) : err;
  }
}
