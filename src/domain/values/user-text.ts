// Text of people, as a form that an input must have.
import { z } from 'zod';

/** No control characters, nothing that is not well-formed Unicode. */
export const text = (max: number) =>
  z
    .string()
    .min(1, 'must not be empty')
    .max(max, `must have at most ${max} characters`)
    .regex(/^[^\p{Cc}\u2028\u2029]*$/u, 'must not contain control characters')
    .refine((s) => s.isWellFormed(), 'must be well-formed Unicode');
