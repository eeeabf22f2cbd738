// The first download of each app by a customer, independent of the order of arrival.
import type { AppDownload, Profile } from './state.js';

type Downloads = Pick<Profile, 'downloads'>;

/** In the sandbox the store names the same version for everybody: it never stands for a download in production. */
export function precedes(one: AppDownload, other: AppDownload | undefined): boolean {
  if (!other) return true;
  if (one.environment !== other.environment) return one.environment === 'production';
  return one.downloadedAt < other.downloadedAt;
}

export function downloadOf({ downloads = [] }: Downloads, appId: string): AppDownload | undefined {
  return downloads.find((one) => one.appId === appId);
}

/** Returns the field with those downloads that precede the known ones; no field if there is no download. */
export function withDownloads(known: Downloads, more: readonly AppDownload[]): Downloads {
  const byApp = new Map((known.downloads ?? []).map((one) => [one.appId, one]));
  for (const one of more) if (precedes(one, byApp.get(one.appId))) byApp.set(one.appId, one);
  return byApp.size === 0 ? {} : { downloads: [...byApp.values()] };
}
