// Refusal of a request above a limit, with the headers that describe the limit.
import { HttpError } from '../bodies/errors.js';
import type { Headers } from '../bodies/send-json.js';

export class TooManyRequests extends HttpError {
  constructor(
    retryAfterSeconds: number,
    readonly headers: Headers,
  ) {
    super(429, `too many requests; retry in ${retryAfterSeconds} seconds`, retryAfterSeconds);
    this.name = 'TooManyRequests';
  }
}
