// The duration that a package's key stands for. Keys that begin with `$` are reserved and have the same meaning in every client.

const reserved = {
  $weekly: 'weekly',
  $monthly: 'monthly',
  $two_month: 'two_month',
  $three_month: 'three_month',
  $six_month: 'six_month',
  $annual: 'annual',
  $lifetime: 'lifetime',
} as const;
export type PackageType = (typeof reserved)[keyof typeof reserved] | 'custom';

export const reservedPackageKeys: readonly string[] = Object.keys(reserved);

const types: ReadonlyMap<string, PackageType> = new Map(Object.entries(reserved));

export function packageTypeOf(lookupKey: string): PackageType {
  return types.get(lookupKey) ?? 'custom';
}
