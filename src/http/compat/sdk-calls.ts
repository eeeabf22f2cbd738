// Which SDK and app versions call the compatibility API, and what became of their receipts: whether a switch works is seen here. Counted in
// the memory of this process since its start; nothing is stored.
import { createBoundedCache } from '../../adapters/bounded-cache.js';
import type { Runtime } from '../../adapters/runtime.js';
import { isoFromMs } from '../../domain/time.js';

/** Version that called; null if the SDK did not send it. */
export type SdkVersion = {
  /** `iOS`, `android`, `web` and the like. */
  readonly platform: string | null;
  /** `react-native`, `flutter` and the like; `native` without one. */
  readonly flavor: string | null;
  readonly sdkVersion: string | null;
  readonly appVersion: string | null;
};

export type SdkCall = SdkVersion & {
  readonly projectId: string;
  readonly isReceipt: boolean;
  readonly status: number;
  /** Message of the refusal; null for a success. */
  readonly reason: string | null;
};

export type SdkUse = {
  readonly versions: readonly (SdkVersion & { readonly lastCallAt: string })[];
  readonly firstReceiptAt: string | null;
  readonly lastRefusedReceipt: { readonly at: string; readonly status: number; readonly reason: string } | null;
};

export type SdkCalls = {
  note(call: SdkCall): void;
  of(projectId: string): SdkUse;
};

const MAX_PROJECTS = 1000;
/** The newest are listed. */
const MAX_VERSIONS = 50;
const NO_USE: SdkUse = { versions: [], firstReceiptAt: null, lastRefusedReceipt: null };

export function createSdkCalls({ now }: Pick<Runtime, 'now'>): SdkCalls {
  const byProject = createBoundedCache<string, SdkUse>(MAX_PROJECTS);
  const useOf = (projectId: string) => byProject.get(projectId) ?? NO_USE;
  return {
    note: ({ projectId, isReceipt, status, reason, ...version }) => {
      const at = isoFromMs(now());
      const use = useOf(projectId);
      const isRefused = isReceipt && status >= 400;
      byProject.set(projectId, {
        versions: [{ ...version, lastCallAt: at }, ...use.versions.filter((one) => !isSame(one, version))].slice(
          0,
          MAX_VERSIONS,
        ),
        firstReceiptAt: use.firstReceiptAt ?? (isReceipt && !isRefused ? at : null),
        lastRefusedReceipt: isRefused ? { at, status, reason: reason ?? '' } : use.lastRefusedReceipt,
      });
    },
    of: useOf,
  };
}

function isSame(a: SdkVersion, b: SdkVersion): boolean {
  return (
    a.platform === b.platform && a.flavor === b.flavor && a.sdkVersion === b.sdkVersion && a.appVersion === b.appVersion
  );
}
