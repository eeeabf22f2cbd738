// Fields that several requests about users share.
import { z } from 'zod';

/** Email address in the normal form of `normalEmail`, so that the stored text is the validated one. */
export const emailAddress = z
  .string()
  .normalize('NFKC')
  .trim()
  .toLowerCase()
  .pipe(z.email('must be an email address').max(254));

/** Invitation token. Any text is well-formed: a token that was never issued is unknown. */
export const invitationToken = z.string().min(1, 'must not be empty').max(200, 'must have at most 200 characters');
