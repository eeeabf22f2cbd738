// Bodies of notifications without the certificates of their signed texts, which are stored separately, once each.
import { createLongKeyCache } from '../../../adapters/bounded-cache.js';
import { certificatesDecider, splitBody, type PackedBody } from '../../../domain/inbox/packed-body.js';
import type { StoreKind } from '../../../domain/store-kinds.js';
import { streams } from '../../../domain/streams.js';
import { commandIds } from '../../handling/command-ids.js';
import { runCommand, type CommandDeps } from '../../handling/run-command.js';
import type { KeyedHash } from '../../../domain/ids.js';

type CertificateDeps = CommandDeps & { readonly hash: KeyedHash };

export type CertificateStore = {
  /**
   * Returns the body to append, after everything that it references is durable; the unchanged body if it contains no certificates. Throws
   * as `runCommand`.
   */
  pack(deps: CertificateDeps, store: StoreKind, rawBody: string): Promise<string | PackedBody>;
};

/** Maximum of cached headers: a store uses a handful at a time; an evicted one is only looked up again. */
const MAX_CACHED = 64;

export function createCertificateStore(): CertificateStore {
  const cached = createLongKeyCache<Promise<string>>(MAX_CACHED);
  const ensureStored = (deps: CertificateDeps, store: StoreKind, header: string): Promise<string> => {
    const known = cached.get(header);
    if (known) return known;
    const keeping = storeHeader(deps, store, header);
    cached.set(header, keeping);
    keeping.catch(() => cached.delete(header));
    return keeping;
  };
  return {
    async pack(deps, store, rawBody) {
      const parts = splitBody(rawBody);
      if (parts === null) return rawBody;
      const { headers, ...rest } = parts;
      const certificates = await Promise.all(headers.map((header) => ensureStored(deps, store, header)));
      return { certificates, ...rest };
    },
  };
}

/** Stores the header and returns its key. */
async function storeHeader(deps: CertificateDeps, store: StoreKind, header: string): Promise<string> {
  const key = deps.hash('certificates', header);
  const stream = streams.certificates(key);
  const ctx = {
    commandId: commandIds.certificates(key),
    correlationId: stream,
    actor: { kind: 'store' as const, id: store },
  };
  await runCommand(deps, stream, certificatesDecider, [{ header }], ctx);
  return key;
}
