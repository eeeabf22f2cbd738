// Forms that several requests about people share.
import { z } from 'zod';

/** The normal form of `normalEmail`, so that what is checked is what is kept. */
export const emailAddress = z
  .string()
  .normalize('NFKC')
  .trim()
  .toLowerCase()
  .pipe(z.email('must be an email address').max(254));

/** Any text: one that was never issued is unknown, not malformed. */
export const invitationToken = z.string().min(1, 'must not be empty').max(200, 'must have at most 200 characters');
