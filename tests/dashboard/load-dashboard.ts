// Loads a module of the dashboard for specs of what is pure in it. Its imports have no endings, so that the compiler of the specs does not
// follow them: the caller names the type of what it uses.
export async function loadDashboard<T>(path: string): Promise<T> {
  return (await import(new URL(`../../dashboard/src/${path}`, import.meta.url).href)) as T;
}
