// Input schemas that several tools share.
import { z } from 'zod';
import { text } from '../../domain/values/user-text.js';

export const customer = text(255).meta({ description: 'App user ID, alias, or customer ID (cus_…).' });
export const instant = z.iso
  .datetime({ offset: true })
  .meta({ description: 'ISO 8601 instant such as 2026-11-20T10:00:00Z.' });
export const asOf = instant.optional().meta({
  description: 'Answer only from what was recorded by this instant; default now.',
});
export const day = z.iso.date().meta({ description: 'UTC day such as 2026-11-20.' });
export const limit = z.int().min(1).max(50).default(20).meta({ description: 'Number of items, at most 50.' });
export const cursor = z.string().max(600).optional().meta({ description: '`nextCursor` of the previous page.' });
export const nextCursor = z.string().nullable().meta({ description: 'Null on the last page.' });
