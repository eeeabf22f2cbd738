// External services: the stores, the receivers of webhooks, the commands of an operator.
import type { Logger } from 'pino';
import type { Config } from '../adapters/configuration/config.js';
import type { DocStore } from '../adapters/documents/port.js';
import { openOperatorRequests } from '../adapters/operator-requests/folder.js';
import type { OperatorRequests } from '../adapters/operator-requests/port.js';
import type { Outbound } from '../adapters/outbound/port.js';
import { createOutbound } from '../adapters/outbound/undici.js';
import { createCredentialVerdicts } from '../commands/projects/credential-checks.js';
import type { Stores } from '../commands/stores/store-integration.js';
import type { StoreKind } from '../domain/store-kinds.js';
import { openStores, type StoreParts } from './open-stores.js';

export type ExternalServices = {
  readonly stores: Stores;
  /** Loads the libraries of a store in advance, so that its first message does not wait for them. A failure is only logged. */
  prepareStore(kind: StoreKind, logger: Logger): void;
  readonly outbound: Outbound;
  /** Port of operator requests; `fileOf` returns the file of the read models that a request offers. */
  readonly operator: { readonly requests: OperatorRequests; readonly fileOf: (folder: string) => string };
  close(): Promise<void>;
};

export type OpenExternalServices = (
  parts: Omit<StoreParts, 'verdicts'> & { readonly docs: DocStore },
) => ExternalServices;

/** Opens the configured services. */
export const openExternalServices: OpenExternalServices = ({ docs, ...parts }) => {
  const { config, runtime } = parts;
  const outbound = createOutbound({ egress: egressOf(config) });
  const { stores, prepare, close } = openStores({ ...parts, verdicts: createCredentialVerdicts({ docs, runtime }) });
  return {
    stores,
    prepareStore: (kind, logger) =>
      void prepare(kind).catch((err: unknown) => logger.warn({ kind, err: String(err) }, 'store library not loaded')),
    outbound,
    operator: openOperatorRequests(config.DATA_DIR),
    close: async () => {
      await outbound.close();
      await close();
    },
  };
};

/** Returns the allowed targets of requests. */
export function egressOf(config: Config) {
  return { allowHttp: config.EGRESS_ALLOW_HTTP, allowCidrs: config.EGRESS_ALLOW_CIDRS };
}
