// Router: the path below `/dashboard` and the query, which contain the whole state of a view, so that it can be shared as a link.
import { computed, signal } from '@preact/signals';

const BASE = '/dashboard';
/** Query parameter that is preserved between pages. */
const PRESERVED = 'environment';

type Place = { readonly path: string; readonly query: URLSearchParams };
export type PageProps = { readonly params: Readonly<Record<string, string>> };
export type QueryChanges = Readonly<Record<string, string | readonly string[] | null>>;

const place = signal<Place>(placeOf(window.location));
export const path = computed(() => place.value.path);
export const query = computed(() => place.value.query);
export const environment = computed(() => (query.value.get(PRESERVED) === 'sandbox' ? 'sandbox' : 'production'));

window.addEventListener('popstate', () => (place.value = placeOf(window.location)));

/** Returns the URL of a dashboard path, with the selected environment. */
export function hrefOf(to: string): string {
  const url = new URL(to, 'http://page');
  if (environment.value === 'sandbox' && !url.searchParams.has(PRESERVED)) url.searchParams.set(PRESERVED, 'sandbox');
  return `${BASE}${url.pathname === '/' ? '' : url.pathname}${url.search}`;
}

/** With `replaces`, the navigation replaces the current entry of the browser history. */
export function navigate(to: string, { replaces = false } = {}): void {
  const hasMoved = new URL(to, 'http://page').pathname !== path.value;
  window.history[replaces ? 'replaceState' : 'pushState'](null, '', hrefOf(to));
  place.value = placeOf(window.location);
  if (hasMoved) window.scrollTo(0, 0);
}

/** Null removes a parameter. */
export function setQuery(changes: QueryChanges, { replaces = true } = {}): void {
  const next = new URLSearchParams(query.value);
  for (const [name, value] of Object.entries(changes)) {
    next.delete(name);
    for (const one of value === null ? [] : [value].flat()) next.append(name, one);
  }
  window.history[replaces ? 'replaceState' : 'pushState'](null, '', `${window.location.pathname}${searchOf(next)}`);
  place.value = placeOf(window.location);
}

function placeOf({ pathname, search }: Location): Place {
  return { path: pathname.slice(BASE.length) || '/', query: new URLSearchParams(search) };
}

function searchOf(params: URLSearchParams): string {
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
}
