// Version numbers of apps, as the platforms show them.

export const MAX_VERSION_LENGTH = 50;
export const APP_VERSION = /^\d+(\.\d+)*$/;

/** Compares version numbers part by part: `10.2` is later than `9.11`. A part that is not a number counts as 0. */
export function isVersionAtLeast(version: string, min: string): boolean {
  const [own, minimum] = [version, min].map((v) => v.split('.').map((part) => Number.parseInt(part, 10) || 0));
  for (let i = 0; i < Math.max(own?.length ?? 0, minimum?.length ?? 0); i++) {
    const difference = (own?.[i] ?? 0) - (minimum?.[i] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}
