// The catalogue and apps of a project, and the choices of an import, which complete imported facts.
import { z } from 'zod';
import type { Catalog } from '../catalog/catalog.js';
import type { KeyedHash } from '../ids.js';
import type { App } from '../project/events.js';

/** `now`: time of the import (ISO 8601 UTC). */
export type ImportContext = {
  readonly projectId: string;
  readonly catalog: Catalog;
  readonly apps: readonly App[];
  readonly hash: KeyedHash;
  readonly now: string;
  readonly options: ImportOptions;
};

/** `otherStores`: purchases of stores that this service does not connect to are left out, or granted until they end. `usd`: US dollar values of the file, or converted at this service's rates. `appIds`: apps to choose if there are several of a store. */
export const importOptions = z.strictObject({
  sandbox: z.enum(['skip', 'keep']).default('skip'),
  usd: z.enum(['keep', 'ours']).default('keep'),
  otherStores: z.enum(['skip', 'grant']).default('skip'),
  appIds: z.array(z.string().max(100)).max(100).default([]),
});
export type ImportOptions = Omit<z.output<typeof importOptions>, 'appIds'> & { readonly appIds: readonly string[] };
