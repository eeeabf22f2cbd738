// Schema for text that users enter.
import { z } from 'zod';

/** Accepts well-formed Unicode without control characters, 1 to `max` characters. */
export const text = (max: number) =>
  z
    .string()
    .min(1, 'must not be empty')
    .max(max, `must have at most ${max} characters`)
    .regex(/^[^\p{Cc}\u2028\u2029]*$/u, 'must not contain control characters')
    .refine((s) => s.isWellFormed(), 'must be well-formed Unicode');
